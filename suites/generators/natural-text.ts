import { createRequire } from 'node:module';
import type { Faker } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import fc from 'fast-check';

/**
 * Texts as real callers send them: prompts, names and ids in many languages. So test traffic resembles real traffic, and
 * every call carries characters beyond ASCII. No check judges what a model makes of them.
 */
export interface NaturalTexts {
  /** A prompt that requests a short answer. */
  readonly prompt: string;
  /** The subject of an image, a video or a piece of music. */
  readonly subject: string;
  /** A person's name: also a long one, or one with combining marks. */
  readonly name: string;
  /** An end user's id in a form that applications use. */
  readonly userId: string;
  /** Some tags of a request, for `metadata`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A language: its locale for names, a request for a greeting, and the description of a place. */
interface Language {
  /** The locale's name in faker. */
  readonly locale: string;
  readonly greet: (name: string) => string;
  readonly place: (city: string) => string;
}

const languages: readonly [Language, ...Language[]] = [
  {
    locale: 'en',
    greet: (name) => `Write a short greeting for ${name}.`,
    place: (city) => `A quiet morning in ${city}.`,
  },
  {
    locale: 'ar',
    greet: (name) => `اكتب تحية قصيرة إلى ${name}.`,
    place: (city) => `صباح هادئ في ${city}.`,
  },
  { locale: 'he', greet: (name) => `כתוב ברכה קצרה אל ${name}.`, place: (city) => `בוקר שקט ב${city}.` },
  {
    locale: 'fa',
    greet: (name) => `یک سلام کوتاه به ${name} بنویس.`,
    place: (city) => `صبحی آرام در ${city}.`,
  },
  {
    locale: 'ja',
    greet: (name) => `${name}さんに短い挨拶を書いて。`,
    place: (city) => `${city}の静かな朝。`,
  },
  { locale: 'zh_CN', greet: (name) => `给${name}写一句问候。`, place: (city) => `${city}的宁静早晨。` },
  {
    locale: 'ko',
    greet: (name) => `${name}님께 짧은 인사를 써 줘.`,
    place: (city) => `${city}의 조용한 아침.`,
  },
  { locale: 'th', greet: (name) => `เขียนคำทักทายถึง ${name}`, place: (city) => `เช้าอันเงียบสงบที่${city}` },
  {
    locale: 'ru',
    greet: (name) => `Напиши короткое приветствие: ${name}.`,
    place: (city) => `Тихое утро, ${city}.`,
  },
  {
    locale: 'de',
    greet: (name) => `Schreib einen kurzen Gruß an ${name}.`,
    place: (city) => `Ein stiller Morgen in ${city}.`,
  },
  {
    locale: 'tr',
    greet: (name) => `${name} için kısa bir selam yaz.`,
    place: (city) => `${city}, sakin bir sabah.`,
  },
  {
    // Decomposed: each accent is a combining mark.
    locale: 'vi',
    greet: (name) => `Viết lời chào ngắn gửi ${name}.`.normalize('NFD'),
    place: (city) => `Buổi sáng yên tĩnh ở ${city}.`.normalize('NFD'),
  },
];

const require = createRequire(import.meta.url);

/** Loads a locale on demand, because loading all of them takes longer than a check. */
function fakerOf(locale: string): Faker {
  const { faker } = require(`@faker-js/faker/locale/${locale}`) as { readonly faker: Faker };
  return faker;
}

/** Draws texts; the same seed gives the same texts. */
export function naturalTexts(seed: number): NaturalTexts {
  english.seed(seed);
  const { locale, greet, place } = english.helpers.arrayElement(languages);
  const faker = fakerOf(locale);
  faker.seed(seed);
  const name = nameFrom(faker);
  const emoji = faker.datatype.boolean(0.3) ? ` ${faker.internet.emoji()}` : '';
  return {
    prompt: `${greet(name)}${emoji}`,
    subject: `${place(faker.location.city())}${emoji}`,
    name,
    userId: userIdFrom(faker),
    metadata: {
      customer: clipped(name),
      city: clipped(faker.location.city()),
      department: clipped(faker.commerce.department()),
      ticket: `T-${faker.number.int({ min: 1_000, max: 99_999 })}`,
    },
  };
}

/** Natural texts as generated input. */
export const naturalText: fc.Arbitrary<NaturalTexts> = fc.nat().map(naturalTexts);

/** Usually an ordinary name, sometimes one with several parts. */
function nameFrom(faker: Faker): string {
  if (faker.datatype.boolean(0.85)) return faker.person.fullName();
  const parts = [faker.person.firstName(), faker.person.firstName(), faker.person.lastName()];
  return `${parts.join(' ')}-${faker.person.lastName()}`;
}

function userIdFrom(faker: Faker): string {
  return faker.helpers.arrayElement([
    () => `user-${faker.string.uuid()}`,
    () => faker.internet.exampleEmail().toLowerCase(),
    () => `${faker.number.int({ min: 1, max: 9_999_999 })}`,
    () => faker.person.fullName(),
  ])();
}

/** Limits a text to the length of a tag value, without splitting a character. */
function clipped(text: string): string {
  return [...text].slice(0, 60).join('');
}
