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

/** What is sent for a prompt, or the error of its item. */
async function tell(node: EngineNode, row: IDataObject = ROW) {
	stage.sandbox.reset();
	const [[{ json }]] = (await stage.run(node, toInput(row))).outputs();
	const posts = stage.sandbox.requests.filter(({ method }) => method === 'POST');
	expect(posts).toHaveLength(json.error ? 0 : 1);
	const { message, description } = (json.error ?? {}) as IDataObject;
	if (message) return { message, description };
	const { prompt, contents } = posts[0].body as { prompt?: string; contents: never };
	return prompt ?? contents[0]['parts'][0]['text'];
}
const refused = (message: RegExp, description?: RegExp) =>
	expect.objectContaining({
		message: expect.stringMatching(message) as string,
		...(description && { description: expect.stringMatching(description) as string }),
	}) as unknown;

describe.each([
	['a video', video],
	['a text', text],
])('%s', (_what, makeNode) => {
	it.each<[string, RegExp, RegExp | undefined]>([
		[
			'A film of {{ $json.prompt }}',
			/^Prompt contains an expression that n8n has not evaluated: \{\{ \$.*\[item 0\]$/,
			/switch the field from Fixed to Expression/,
		],
		[
			'=Of {{ $json.style }}, {{ $json.object }}',
			/^Part of Prompt is an object: \{\{ \$json\.object \}\} /,
			/^Name a field of it, or write \{\{ JSON\.stringify/,
		],
		['={{ $json.object }}', /^Prompt must be text \[item 0\]$/, /Name a field of it/],
		['={{ $json.empty }}', /^Prompt is empty \[item 0\]$/, undefined],
		['={{ $json.prompt + }}', /^Prompt cannot be read: invalid syntax \[item 0\]$/, undefined],
	])('is not billed for %j', async (prompt, message, description) => {
		expect(await tell(makeNode(prompt))).toEqual(refused(message, description));
	});

	it.each([
		['=A {{ $json.style }} film of {{ $json.prompt }}', 'A noir film of A boat'],
		['=A film{{ $json.empty }}', 'A film'],
		['={{ JSON.stringify($json.object) }} as a film', '{"a":1} as a film'],
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
	expect(await tell(video(prompt))).toEqual(refused(message, /Nothing was sent for this item\.$/));
	expect(await tell(text(prompt))).toMatch(/^A film of/);
});

it.each([
	[{ negativePrompt: '=No {{ $json.missing }}' }, /^Part of Negative Prompt is undefined/],
	[{ seed: 1, negativePrompt: '={{ $json.prompt + }}' }, /^Options cannot be read: /],
	[{ additionalFields: '={{ { prompt: "Of " + $json.a } }}' }, /^prompt in Add.* "undefined"/],
])('what is sent by an option is judged, too: %j', async (options, message) => {
	expect(await tell(video('A boat', options))).toEqual(refused(message));
});

it('the prompt of Additional Fields stands for that of the form', async () => {
	const options = { additionalFields: '={"prompt": "A {{ $json.style }} film"}' };
	expect(await tell(video('=A {{ $json.missing }}', options))).toBe('A noir film');
});
