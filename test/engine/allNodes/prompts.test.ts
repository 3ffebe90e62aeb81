import type { IDataObject } from 'n8n-workflow';

import type { EngineNode } from '../../support/engine';
import { byId, CONTINUE, PACKAGE, toInput, useStage, videoGenerate } from '../../support/stage';

// Prompts that would be billed as nobody means them: refused before anything is sent.

const stage = useStage();

const ROW = { prompt: 'A boat', style: 'noir', empty: '', nothing: null, object: { a: 1 } };

const text = (prompt: string): EngineNode => ({
	type: `${PACKAGE}.generateContent`,
	parameters: { model: byId('gemini-2.5-flash'), prompt },
	...CONTINUE,
});
const video = (prompt: string, options: IDataObject = {}) =>
	videoGenerate({ prompt, options }, CONTINUE);

/** What is sent for a prompt, or the words of its failure. */
async function tell(node: EngineNode): Promise<string> {
	stage.sandbox.reset();
	const [[{ json }]] = (await stage.run(node, toInput(ROW))).outputs();
	const posts = stage.sandbox.requests.filter(({ method }) => method === 'POST');
	expect(posts).toHaveLength(json.error ? 0 : 1);
	const { message, description } = (json.error ?? {}) as IDataObject;
	if (json.error) return `${String(message)} ${String(description)}`;
	const { prompt, contents } = posts[0].body as { prompt?: string; contents: never };
	return prompt ?? contents[0]['parts'][0]['text'];
}

describe.each([
	['a video', video],
	['a text', text],
])('%s', (_what, makeNode) => {
	it.each<[string, RegExp]>([
		[
			'A film of {{ $json.prompt }}',
			/^Prompt contains an expression that n8n has not evaluated: \{\{ \$.*\[item 0\] If you typed it, switch/,
		],
		[
			'=Of {{ $json.style }}, {{ $json.object }}',
			/^Part of Prompt is an object: \{\{ \$json\.object \}\} .* JSON\.stringify/,
		],
		['={{ $json.object }}', /^Prompt must be text \[item 0\] .*Name a field of it/],
		['={{ $json.prompt + }}', /^Prompt cannot be read: invalid syntax \[item 0\]/],
	])('is not billed for %j', async (prompt, words) => {
		expect(await tell(makeNode(prompt))).toMatch(words);
	});

	it.each([
		['=A {{ $json.style }} film{{ $json.empty }}', 'A noir film'],
		['=A sign: undefined, {{ $json.style }}', 'A sign: undefined, noir'],
		['It costs $5, or {{ OPEN }}', 'It costs $5, or {{ OPEN }}'],
	])('is asked for with %j', async (prompt, sent) => {
		expect(await tell(makeNode(prompt))).toBe(sent);
	});
});

it.each([
	['=A film of {{ $json.missing }}', /^Part of Prompt is undefined: \{\{ \$json\.missing \}\} \[/],
	['=A film of {{ $json.nothing }}', /^Part of Prompt is null: /],
	['={{ "A film of " + $json.object }}', /^Prompt contains "\[object Object\]"/],
	['A film of $json.prompt', /has not evaluated: \$json\.prompt \[/],
])('a video is not billed for %j, and a text is', async (prompt, message) => {
	expect(await tell(video(prompt))).toMatch(message);
	expect(await tell(text(prompt))).toMatch(/^A film of/);
});

it.each([
	[{ negativePrompt: '=No {{ $json.missing }}' }, /^Part of Negative Prompt is undefined/],
	[{ seed: 1, negativePrompt: '={{ $json.prompt + }}' }, /^Options cannot be read: /],
	[{ additionalFields: '={{ { prompt: "Of " + $json.a } }}' }, /^prompt in Add.* "undefined"/],
])('what is sent by an option is judged, too: %j', async (options, message) => {
	expect(await tell(video('A boat', options))).toMatch(message);
});

it('the prompt of Additional Fields stands for that of the form', async () => {
	const options = { additionalFields: '={"prompt": "A {{ $json.style }} film"}' };
	expect(await tell(video('=A {{ $json.missing }}', options))).toBe('A noir film');
});
