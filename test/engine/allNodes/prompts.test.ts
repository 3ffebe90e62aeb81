import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, PACKAGE, toInput, byId, useStage, videoGenerate } from '../../support/stage';

// Prompts that would be billed as nobody means them: refused before anything is sent.

const stage = useStage();

const ROW = {
	...{ prompt: 'A boat', style: 'noir', empty: '', blank: '  ', nothing: null, zero: 0, no: false },
	...{ object: { a: 1 }, list: ['a', 'b'], objects: [{ a: 1 }], none: [] },
};

const text = (prompt: string) => ({
	type: `${PACKAGE}.generateContent`,
	parameters: { model: byId('gemini-2.5-flash'), prompt },
	...CONTINUE,
});
const video = (prompt: string) => videoGenerate({ prompt }, CONTINUE);

/** What is sent for a prompt, or the error of its item. */
async function tell(makeNode: typeof video | typeof text, prompt: string, row: IDataObject = ROW) {
	stage.sandbox.reset();
	const result = await stage.run(makeNode(prompt) as never, toInput(row));
	const [[{ json }]] = result.outputs();
	const posts = stage.sandbox.requests.filter(({ method }) => method === 'POST');
	expect(posts).toHaveLength(json.error ? 0 : 1);
	const { prompt: sent, contents } = posts[0]?.body ?? ({} as never);
	const { message, description } = (json.error ?? {}) as IDataObject;
	if (message) return { message, description };
	return (sent ?? (contents as never)[0]['parts'][0]['text']) as string;
}

const UNEVALUATED = /^Prompt is an expression that n8n does not evaluate: .*\[item 0\]$/;
const EMPTY = /^Part of Prompt is empty: \{\{ .+ \}\} \[item 0\]$/;
const OBJECT = /^Part of Prompt is an object: \{\{ .+ \}\} \[item 0\]$/;

describe.each([
	['a video', video],
	['a text', text],
])('%s', (_what, makeNode) => {
	it.each([
		['$json.prompt', UNEVALUATED, /^Switch the field to Expression, and write it as \{\{/],
		['  $json["film idea"]\n', UNEVALUATED, /^Switch/],
		["$('Edit Fields').item.json.prompt", UNEVALUATED, /^Switch/],
		['$input.first().json.prompt', UNEVALUATED, /^Switch/],
		['$node["Edit Fields"].json.prompt', UNEVALUATED, /^Switch/],
		['=$json.prompt', UNEVALUATED, /^Switch/],
		['{{ $json.prompt }}', UNEVALUATED, /^Switch the field from Fixed to Expression\./],
		['A film of {{ $json.prompt }}', UNEVALUATED, /^Switch/],
		['{{ a }} and {{ $json.b }}', UNEVALUATED, /^Switch/],
		['=A film of {{ $json.object }}', OBJECT, /^Name a field of it/],
		['={{ $json.object }}\n', OBJECT, /JSON\.stringify/],
		['={{ $json.prompt }}, {{ $json.objects }}', OBJECT, /Nothing was sent for this item\.$/],
		['=Of {{ new Set([1]) }} and {{ new Map() }}', OBJECT, /^Name a field of it/],
		['={{ $json.object }}', /^Prompt must be text \[item 0\]$/, /JSON\.stringify/],
	])('is not billed for %j', async (prompt, message, description) => {
		expect(await tell(makeNode, prompt)).toEqual({
			message: expect.stringMatching(message),
			description: expect.stringMatching(description),
		});
	});

	it.each([
		['=A {{ $json.style }} film of {{ $json.prompt }}', 'A noir film of A boat'],
		['=A film in {{ $json.zero }} and {{ $json.no }}', 'A film in 0 and false'],
		['=Of {{ $json.list }}', 'Of a,b'],
		['={{ JSON.stringify($json.object) }} as a film', '{"a":1} as a film'],
		["=A film{{ $json.missing || '' }}", 'A film'],
		['=A film{{ $json.missing ?? "" }}', 'A film'],
		["=A film{{ $json.no ? ' at dusk' : '' }}", 'A film'],
		['=A film {{ "of $json.a, {" + "{ $json.b }" + "}" }}', 'A film of $json.a, {{ $json.b }}'],
		['It costs $5, or {{ OPEN }}', 'It costs $5, or {{ OPEN }}'],
		['It costs $5 }} and {{ ends', 'It costs $5 }} and {{ ends'],
		...['A screen with jQuery $("#id").val()', 'A sign: $node.version', '{"json": "$json"}'].map(
			(sign) => [sign, sign],
		),
	])('is asked for with %j', async (prompt, sent) => {
		expect(await tell(makeNode, prompt)).toBe(sent);
	});

	it('shows a date as n8n does', async () => {
		expect(await tell(makeNode, '=On {{ $now }}')).toMatch(/^On \d{4}-\d\d-\d\dT/);
	});

	it('may be about what an item brings, whatever that is', async () => {
		const prompts = ['$json.prompt', '{{ $json.prompt }}'];
		if (makeNode === text) prompts.push('[object Object]');
		for (const prompt of prompts) {
			expect(await tell(makeNode, '={{ $json.prompt }}', { prompt })).toBe(prompt);
			expect(await tell(makeNode, '=Why {{ $json.prompt }}', { prompt })).toBe(`Why ${prompt}`);
		}
	});
});

describe('what is empty', () => {
	const GAPS = [
		...['=A film of {{ $json.missing }}', '=A film of {{ $json.missing.deep }}'],
		...['=A film of {{ $json.empty }}', '=A film of {{ $json.blank }}', '={{ $json.none }} film'],
		...[
			'=A film of {{ $json.nothing }}',
			'=A film of {{ $json.missing * 2 }}',
			'=A film of {{ 1 / $json.zero }}',
			"=A film of {{ $json.missing.replace('a', '') }}",
			"=A film of {{ $json.style === '' ? $json.style : $json.empty }}",
			"=A film of {{ $json.none.join('') }}",
		],
	];

	it.each(GAPS)('is no part of a paid video: %j', async (prompt) => {
		expect(await tell(video, prompt)).toEqual({
			message: expect.stringMatching(EMPTY),
			description: expect.stringMatching(
				/has the field it refers to\. If it may be empty, write \{\{ \.\.\. \|\| '' \}\}\. Nothing was sent/,
			),
		});
	});

	it.each(GAPS)('is left out of a text, as n8n does it: %j', async (prompt) => {
		expect(await tell(text, prompt)).toMatch(/film/);
	});
});

it.each(['={{ $json.prompt }}', '=A film: {{ $json.prompt }}'])(
	'an object that a node before has made a text of is no video: %j',
	async (prompt) => {
		expect(await tell(video, prompt, { prompt: 'Of [object Object]' })).toEqual({
			message: 'Prompt contains [object Object] [item 0]',
			description: expect.stringMatching(/^A node before .*Nothing was sent for this item\.$/),
		});
		expect(await tell(video, 'A sign: [object Object]')).toBe('A sign: [object Object]');
	},
);

it.each([
	['={{ "A film of " + $json.empty }}', 'has a gap, because $json.empty is empty'],
	['={{ "A " + $json.empty + " film" }}', 'has a gap, because $json.empty is empty'],
	['={{ "A " + $json.none.join(", ") + " film" }}', 'has a gap, because $json.none is empty'],
	[
		'={{ [$json.prompt, $json.empty].join(",") }}',
		'contains ",", which an expression made of a missing value',
	],
	['={{ JSON.stringify($json.gone ?? {}) }}', 'is empty'],
	['={{ JSON.stringify([].join()) }}', 'is empty'],
	['={{ "Of " + $json.prompt.trim }}', 'contains [native code]'],
	['={{ "Of " + new Map() }}', 'contains [object Map]'],
])('what an expression makes of a value is no part of a paid video: %j', async (prompt, says) => {
	expect(await tell(video, prompt)).toMatchObject({ message: `Prompt ${says} [item 0]` });
	expect(await tell(text, prompt)).toEqual(expect.any(String));
});

it.each([
	['={{ "A film of " + $json.prompt + $json.empty }}', 'A boat '],
	["={{ 'A film of ' + ($json.empty || '') }}", ''],
	['={{ "A film of " + $json.prompt + " " }}', 'A boat'],
	['={{ $json.empty ? $json.empty : "A film" }}', ''],
])('blanks may be meant: %j', async (prompt, boat) => {
	expect(await tell(video, prompt, { ...ROW, prompt: boat })).toMatch(/^A film/);
});

it.each([
	['=No {{ $json.missing }}', /^Part of Negative Prompt is empty/],
	['No {{ $json.style }}', /^Negative Prompt is an expression that n8n does not evaluate/],
	['={{ "No " + $json.missing }}', /^Negative Prompt contains "undefined"/],
])('Negative Prompt is checked: %j', async (negativePrompt, message) => {
	const node = () => videoGenerate({ prompt: 'A boat', options: { negativePrompt } }, CONTINUE);
	expect(await tell(node, '')).toMatchObject({ message: expect.stringMatching(message) });
});

const HOLE =
	/^Prompt contains "(undefined|null|NaN|Infinity|Invalid Date| ,|,,)", which an expression made of a missing value \[item 0\]$/i;
const MEANT = /If it is meant, take the text from a field of the item\. Nothing was sent/;

describe('what an expression makes of a missing value', () => {
	it.each([
		'={{ "A film of " + $json.missing }}',
		'=A film of {{ "a " + $json.nothing }}',
		'={{ `A film of ${ $json.missing }` }}',
		'={{ "A film of " + $json.missing * 2 }}',
		'={{ "Of " + 1 / $json.zero }}',
		'={{ "Of " + new Date($json.missing) }}',
		'=On {{ DateTime.fromISO($json.style) }}',
		'={{ String($json.missing).toUpperCase() }} film',
		'={{ ("Of " + $json.missing * 2).toUpperCase() }}',
		'={{ "Of " + $json.objects.concat({}).map((one) => one.name) }}',
		'=Of {{ $json.objects.concat({}).map((one) => one.name) }}, slow',
	])('is no part of a paid video: %j', async (prompt) => {
		// A word of the item that the expression does not read is none of it.
		const error = { message: 'Prompt contains "undefined"', prompt: 'Of undefined, null, NaN' };
		for (const more of [{}, { note: 'undefined, null, NaN, Infinity, Invalid Date ,', error }]) {
			expect(await tell(video, prompt, { ...ROW, ...more })).toEqual({
				message: expect.stringMatching(HOLE),
				description: expect.stringMatching(MEANT),
			});
		}
		expect(await tell(text, prompt)).toEqual(expect.any(String));
	});

	it.each([
		['={{ "Of " + $json.prompt }}', 'Of undefined, NaN and null ,'],
		['=The undefined {{ $json.prompt.slice(0, 3) }}', 'The undefined und'],
		["=A film{{ $json.missing || '' }}, slow", 'A film, slow'],
		["=A film{{ $json.missing || ' ' }}at sea", 'A film at sea'],
		['={{ "A film" + " , " + $json.prompt.length }}', 'A film , 25'],
		['={{ "An Infinity pool of " + $json.prompt.length }}', 'An Infinity pool of 25'],
		['={{ ["A film", "slow"].join(" , ") }}', 'A film , slow'],
		["=A film {{ $json.missing || '' }}, slow", 'A film , slow'],
		["=A film{{ $if($json.missing, ' at sea', '') }}", 'A film'],
		["={{ 'Of ' + $json['pro' + 'mpt'] }}", 'Of undefined, NaN and null ,'],
		['={{ "Nullable annulled BaNaNas of " + $json.prompt.length }}', expect.any(String)],
	])('may be meant: %j', async (prompt, sent) => {
		expect(await tell(video, prompt, { prompt: 'undefined, NaN and null ,' })).toEqual(sent);
	});
});

it.each([
	...['$json', '$vars.prompt', '=$json', '=A {{ $json.style }} film in $json.style'],
	'A film of $json.subject, slow',
])('a reference that n8n does not evaluate is no part of a video: %j', async (prompt) => {
	const message = expect.stringMatching(UNEVALUATED);
	expect(await tell(video, prompt)).toMatchObject({ message });
});

describe('the prompt in Additional Fields, which is sent', () => {
	const byHand = (additionalFields: unknown) =>
		videoGenerate({ prompt: '=A {{ $json.missing }}', options: { additionalFields } }, CONTINUE);
	const WHERE = 'prompt in Additional Fields \\(JSON\\)';

	it.each([
		['={"prompt": "A film of {{ $json["missing"] }}"}', `^Part of ${WHERE} is empty`],
		['={"prompt": "A film of {{ $json.object }}"}', `^Part of ${WHERE} is an object`],
		['={"prompt": "A film of {{ "a" + $json.missing }}"}', `^${WHERE} contains "undefined"`],
		['={{ { prompt: "Of " + $json.missing } }}', `^${WHERE} contains "undefined"`],
		['={{ { prompt: "Of " + $json.object } }}', `^${WHERE} contains \\[object Object\\]`],
		['{"prompt": "$json.prompt"}', `^${WHERE} is an expression that n8n does not evaluate`],
		['{"prompt": "Of {{ $json.prompt }}"}', `^${WHERE} is an expression that n8n does not`],
		['={"prompt": "Of {{ $json.style }} $json.a"}', `^${WHERE} is an expression that n8n does`],
		[
			'={"prompt": null, "content": [{"text": "Of {{ $json.missing }}"}]}',
			'^Part of content\\.0\\.text',
		],
		[
			'={{ {prompt: null, input: {prompt: "Of " + $json.missing} } }}',
			'^input\\.prompt in .* "undefined"',
		],
		[
			'{"prompt": null, "input": {"prompt": "$json.prompt"}}',
			'^input\\.prompt in .* does not evaluate',
		],
		['={"metadata": {"prompt": "Of {{ $json.missing }}"}}', '^Part of metadata\\.prompt in'],
		[
			'={"prompt": null, "input": {"prompt": "{{ $json.missing }}"}}',
			'^input\\.prompt in .* is empty',
		],
		['={{ {prompt: null, content: [{text: String([])}]} }}', '^content\\.0\\.text in .* is empty'],
		['={"prompt": null, "promptText": "{{ $json.missing }}"}', '^promptText in .* is empty'],
		['{"prompt": null}', 'leaves out the prompt, and has no other'],
		['={{ {prompt: null, input: {prompt: $json.missing} } }}', 'leaves out the prompt'],
		['={{ {prompt: null, content: [{type: "text", text: $json.missing}]} }}', 'leaves out the'],
		['{"prompt": null, "input": {"prompt": ""}}', 'leaves out the prompt'],
		...[
			['={"prompt": "A", "image": "{{ $json.missing }}"}', '^image in .* is empty'],
			[
				'={"prompt": "A", "metadata": {"image_tail": "{{ $json.missing }}"}}',
				'^metadata.image_tail',
			],
			['={"prompt": "A", "images": ["{{ $json.missing }}"]}', '^images\\.0 in .* is empty'],
			[
				'={"prompt": "A", "image_url": "https://a.example/{{ $json.missing }}"}',
				'^Part of image_url',
			],
		],
		['={"prompt": {{ JSON.stringify($json.nothing) }} }', `^${WHERE} is no text`],
		['={{ { prompt: $json.nothing } }}', `^${WHERE} is no text`],
	])('is checked: %j', async (fields, message) => {
		expect(await tell(() => byHand(fields), '')).toMatchObject({
			message: expect.stringMatching(message),
		});
	});

	it('is sent if nothing is wrong with it, whatever other fields lack', async () => {
		const fields =
			'={"prompt": "A {{ $json.style }} film", "user": "{{ $json.missing }}", "text": "{{ $json.missing || "" }}", "negative_prompt": "{{ $json.missing }}"}';
		expect(await tell(() => byHand(fields), '')).toBe('A noir film');
	});
});

it('a text may be about a reference in the midst of it', async () => {
	const prompt = 'A film of $json.subject, slow';
	expect(await tell(text, prompt)).toBe(prompt);
});

it('one row with a gap in On Error = Stop keeps all rows from being billed', async () => {
	const node = videoGenerate({ prompt: '=A film of {{ $json.subject }}' });
	const { error } = await stage.run(
		node,
		toInput({ subject: 'a boat' }, {}, { subject: 'a hill' }),
	);
	expect(error?.message).toMatch(/^Part of Prompt is empty: \{\{ \$json\.subject \}\} \[item 1\]$/);
	expect(stage.sandbox.submissions()).toHaveLength(0);
});

it.each([
	['={{ $json.prompt + }}', /^Prompt cannot be read: invalid syntax \[item 0\]$/],
	["={{ $('Nope').item.json.x }}", /^Prompt cannot be read: .*\[item 0\]$/],
])('an expression that n8n cannot evaluate names its parameter: %j', async (prompt, message) => {
	expect(await tell(video, prompt)).toMatchObject({ message: expect.stringMatching(message) });
});

it.each<[IDataObject, string]>([
	[{ seed: 1, negativePrompt: '={{ $json.prompt + }}' }, 'Negative Prompt'],
	[{ cost: { maxVideos: "={{ $('Nope').item.json.x }}" }, seed: 1 }, 'Max Videos per Execution'],
])('an option that n8n cannot evaluate is named: %j', async (options, label) => {
	const node = () => videoGenerate({ options }, CONTINUE);
	expect(await tell(node, '')).toMatchObject({
		message: expect.stringMatching(`^${label} cannot be read: `),
	});
});
