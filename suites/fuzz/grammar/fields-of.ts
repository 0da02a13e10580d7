import type { BodyField, Form } from './body-field.ts';
import { placesIn, valueAt } from './body-tree.ts';
import type { KnownValues } from './known-values.ts';
import { type JsonType, jsonTypeOf } from './raw-json.ts';
import type { Body } from './subject.ts';

const formOf: Readonly<Record<JsonType, Form | null>> = {
  null: null,
  boolean: 'boolean',
  number: 'number',
  string: 'text',
  list: 'list',
  object: 'object',
};

/** Members whose values upstreams may fetch. */
const linkMember =
  /(?:^|[._])(?:url|fileUri|file_uri|image|webhook_url|reference_images\[\])$|_url$|_images\[\]$/;

/** Members that accept only a few words. */
const wordMember =
  /(?:^|\.)(?:role|type|ttl|tool_choice|mode|size|quality|aspect_ratio|response_format|action|target_resolution|media_type|mimeType|responseMimeType|model)$/;

/** All fields of these legal bodies, with the forms of the values that they have there. */
export function fieldsIn(bodies: readonly Body[], names: readonly string[], known: KnownValues): BodyField[] {
  const forms = new Map<string, Set<Form>>(names.map((name) => [name, new Set<Form>()]));
  for (const name of names)
    for (const type of known.acceptedTypes(name)) {
      const form = formOf[type];
      if (form !== null) forms.get(name)?.add(form);
    }
  for (const body of bodies)
    for (const [name, places] of placesIn(body)) {
      const own = forms.get(name) ?? new Set<Form>();
      forms.set(name, own);
      for (const place of places) {
        const type = jsonTypeOf(valueAt(body, place));
        const form = type === null ? null : formOf[type];
        if (form !== null) own.add(form);
      }
    }
  for (const [name, own] of forms) {
    if (own.has('text') && linkMember.test(name)) own.add('link');
    if (own.has('text') && wordMember.test(name)) own.add('word');
  }
  return [...forms].map(([name, own]) => ({ name, forms: own }));
}
