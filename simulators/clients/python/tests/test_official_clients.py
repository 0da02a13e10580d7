"""What each official client makes of text, streams, tools, errors and retries. Those that are not installed are skipped."""

import pytest

CALL = {"tool_calls": [{"name": "tide", "arguments": {"place": "here"}}]}
SCHEMA = {"type": "object", "properties": {"place": {"type": "string"}}}
MESSAGES = [{"role": "user", "content": "Hi"}]


@pytest.fixture
def openai(upstream):
    module = pytest.importorskip("openai")
    return module.OpenAI(base_url=upstream.v1, api_key="any-key")


@pytest.fixture
def anthropic(upstream):
    module = pytest.importorskip("anthropic")
    return module.Anthropic(base_url=upstream.url, api_key="any-key")


@pytest.fixture
def google(upstream):
    module = pytest.importorskip("google.genai")
    return module.Client(api_key="any-key", http_options={"base_url": upstream.url})


def test_openai_retries_and_streams(upstream, openai):
    upstream.on({}, {"status": 429, "headers": {"retry-after": "0"}}, "Hello there.")
    answer = openai.chat.completions.create(model="gpt-x", messages=MESSAGES)
    assert answer.choices[0].message.content == "Hello there."
    stream = openai.chat.completions.create(model="gpt-x", messages=MESSAGES, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "Hello there."


def test_openai_calls_tools(upstream, openai):
    upstream.on({"tools": ["tide"]}, CALL)
    tool = {"type": "function", "function": {"name": "tide", "parameters": SCHEMA}}
    answer = openai.chat.completions.create(model="gpt-x", messages=MESSAGES, tools=[tool])
    assert answer.choices[0].message.tool_calls[0].function.arguments == '{"place":"here"}'


def test_openai_has_responses_embeddings_and_models(upstream, openai):
    upstream.on({"dialect": "responses"}, {"text": "Hello.", "reasoning": "Let me see."})
    upstream.on({"path": "/v1/embeddings"}, {})
    assert openai.responses.create(model="gpt-x", input="Hi").output_text == "Hello."
    with openai.responses.stream(model="gpt-x", input="Hi") as stream:
        stream.until_done()
        assert stream.get_final_response().output_text == "Hello."
    assert len(openai.embeddings.create(model="embed-x", input="Hi", dimensions=8).data[0].embedding) == 8
    assert len(openai.models.list().data) > 0


def test_openai_names_errors(upstream, openai):
    module = pytest.importorskip("openai")
    upstream.on({}, {"status": 401, "error": {"message": "No.", "code": "invalid_api_key"}})
    with pytest.raises(module.AuthenticationError, match="No."):
        openai.chat.completions.create(model="gpt-x", messages=MESSAGES)


def test_anthropic_streams_and_thinks(upstream, anthropic):
    upstream.on({}, {"text": "Hello.", "reasoning": "Let me see."})
    answer = anthropic.messages.create(model="claude-x", max_tokens=500, messages=MESSAGES)
    assert [block.type for block in answer.content] == ["thinking", "text"]
    with anthropic.messages.stream(model="claude-x", max_tokens=500, messages=MESSAGES) as stream:
        assert stream.get_final_text() == "Hello."
    assert anthropic.messages.count_tokens(model="claude-x", messages=MESSAGES).input_tokens > 0
    assert len(anthropic.models.list().data) > 0


def test_anthropic_calls_tools_and_retries(upstream, anthropic):
    upstream.on({"tools": ["tide"]}, {"status": 529, "headers": {"retry-after": "0"}}, CALL)
    tool = {"name": "tide", "input_schema": SCHEMA}
    answer = anthropic.messages.create(model="claude-x", max_tokens=500, messages=MESSAGES, tools=[tool])
    assert answer.content[0].input == {"place": "here"}


def test_google_streams_calls_and_embeds(upstream, google):
    types = pytest.importorskip("google.genai.types")
    upstream.on({}, "Hello there.")
    upstream.on({"tools": ["tide"]}, CALL)
    assert google.models.generate_content(model="gemini-x", contents="Hi").text == "Hello there."
    chunks = google.models.generate_content_stream(model="gemini-x", contents="Hi")
    assert "".join(chunk.text or "" for chunk in chunks) == "Hello there."
    declared = types.FunctionDeclaration(name="tide", parameters=types.Schema(type="OBJECT", properties={"place": {"type": "STRING"}}))
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[declared])])
    answer = google.models.generate_content(model="gemini-x", contents="Hi", config=config)
    assert answer.function_calls[0].args == {"place": "here"}


def test_google_lists_models_and_embeds(upstream, google):
    upstream.on({"model": "embed-x"}, {})
    assert len(list(google.models.list())) > 0
    assert len(google.models.embed_content(model="embed-x", contents="Hi").embeddings[0].values) == 768
