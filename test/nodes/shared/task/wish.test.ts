import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { createReader } from '../../../../nodes/shared/item/reader';
import {
	isSameWish,
	NOT_WISHED,
	toFact,
	toWish,
	type Wish,
} from '../../../../nodes/shared/task/wish';
import { videoGenerateFields } from '../../../../nodes/VideoGenerate/fields';
import { openWorld } from './support/world';

const model = { __rl: true, mode: 'list', value: 'veo' };
const written: IDataObject = { model, prompt: 'A boat', wait: 'inProcess', options: {} };

/** The wish of an item for parameters that are written so; `values` are what their expressions give. */
function wish(
	more: IDataObject = {},
	item: Partial<INodeExecutionData> = {},
	{ values, forAgent = false }: { values?: IDataObject; forAgent?: boolean } = {},
): Wish {
	const all = { ...written, ...more };
	const node = { fields: videoGenerateFields, parameters: [{ ...all, model: 'veo', ...values }] };
	const run = {
		...openWorld({ forAgent, node }).run,
		...{ parameters: all, items: [{ json: {}, ...item }] },
	};
	return toWish(run, 0, values && createReader(run, 0));
}
const prompt = (expression: string) => ({ prompt: `={{ ${expression} }}` });

/** Whether a prompt is another wish where this field of its item changes. */
const countsField = (expression: string, name: string, forAgent = false) => {
	const of = (value: string) =>
		wish(prompt(expression), { json: { same: 1, [name]: value } }, { forAgent });
	return !isSameWish(of('a'), of('b'));
};

describe('an input field', () => {
	it.each([
		['A boat', 'id'],
		['$json.prompt', 'id'],
		['$now', 'id'],
		['$json.prompt', 'promptly'],
		["$fromAI('prompt')", 'id'],
		["$fromai('prompt')", 'id'],
	])('that no expression reads does not count: %s, %s', (expression, name) => {
		expect(countsField(expression, name)).toBe(false);
	});

	it.each([
		['$json.prompt', 'prompt'],
		['$json?.prompt.trim()', 'prompt'],
		['$json["a b"]', 'a b'],
		["$json[ 'a b' ]", 'a b'],
		['$json.a + $json.b', 'b'],
		['$json.größe', 'größe'],
		['$json.提示', '提示'],
		["$fromAI('prompt')", 'prompt'],
		["$fromAi('prompt')", 'prompt'],
		['$fromai("prompt", "what", "string")', 'prompt'],
	])('that an expression names counts: %s', (expression, name) => {
		expect(countsField(expression, name)).toBe(true);
		expect(countsField(expression, name, true)).toBe(true);
	});

	it.each([
		...['$input.first().json.prompt', "$('Edit Fields').item.json.prompt", '$items()[0]'],
		...['$node["Edit Fields"].json.a', 'JSON.stringify($json)', '$json.keys()', '$json[$now]'],
		...['$json.toJsonString()', '$fromAI(name)'],
	])('counts, whichever it is, where an expression may read any: %s', (expression) => {
		expect(countsField(expression, 'any')).toBe(true);
	});

	it('is found in an option, too, and in rows of one', () => {
		const images = { values: [{ image: '={{ $json.url }}' }] };
		for (const options of [{ seed: '={{ $json.url }}' }, { images }, '={{ $json.url }}']) {
			const of = (url: string) => wish({ options }, { json: { url } });
			expect(isSameWish(of('a'), of('a'))).toBe(true);
			expect(isSameWish(of('a'), of('b'))).toBe(false);
		}
	});

	it('is not what the failure of an item adds that comes back', () => {
		const back = { json: { n: 1, error: { task_id: 'task_1' } } };
		expect(isSameWish(wish(prompt('$json'), back), wish(prompt('$json'), { json: { n: 1 } }))).toBe(
			true,
		);
	});
});

describe("a field that is read by n8n's longer names", () => {
	const of = (expression: string, gives: unknown, json = {}) => {
		const { run } = openWorld({ node: { fields: videoGenerateFields, parameters: [written] } });
		const evaluateExpression = (asked: string) => {
			expect(asked).toMatch(/^\{\{ \$.*\.json[.[].*[\w\]] \}\}$/);
			if (gives instanceof Error) throw gives;
			return gives;
		};
		const context = { ...run.context, evaluateExpression };
		const parameters = { prompt: `={{ ${expression} }}` };
		return toWish({ ...run, context, parameters, items: [{ json }] } as never, 0);
	};

	it.each([
		"$('Rows').item.json.a",
		'$("Rows").first().json["a b"]',
		'$input.item.json.a.b.trim()',
		"$('Rows').last().json.a + Math.random()",
	])('counts with its value alone: %s', (expression) => {
		expect(isSameWish(of(expression, 1, { n: 1 }), of(expression, 1, { n: 2 }))).toBe(true);
		expect(isSameWish(of(expression, 1), of(expression, 2))).toBe(false);
		const failed = new Error('No paired item');
		expect(isSameWish(of(expression, failed), of(expression, failed))).toBe(true);
		expect(isSameWish(of(expression, failed, { n: 1 }), of(expression, failed, { n: 2 }))).toBe(
			false,
		);
	});
});

describe('an expression', () => {
	const valued = (expression: string, value: string) =>
		wish(prompt(expression), {}, { values: { prompt: value } });

	it.each(['Math.random()', '$now', '$execution.id'])(
		'that moves is the same as it is written: %s',
		(expression) => {
			expect(isSameWish(valued(expression, '1'), valued(expression, '2'))).toBe(true);
		},
	);

	it('with the same value is the same, and with neither is another wish', () => {
		expect(isSameWish(valued('"A " + "boat"', 'A boat'), wish({}, {}, { values: {} }))).toBe(true);
		expect(isSameWish(valued('"A " + "tree"', 'A tree'), wish({}, {}, { values: {} }))).toBe(false);
		// As long as nobody has read the values, only the words tell.
		expect(isSameWish(wish(prompt('"A " + "boat"')), wish())).toBe(false);
	});
});

describe('a wish that comes back from the error output', () => {
	const pass = (parameters: IDataObject, json: IDataObject, values: IDataObject = {}) =>
		wish(parameters, { json }, { values });
	const byHand = (metadata: IDataObject) => {
		const options = { additionalFields: '={{ $json.fields }}' };
		const values = { options: { additionalFields: JSON.stringify({ metadata }) } };
		return pass({ options }, { fields: metadata }, values);
	};

	it('is the same with another number in a prompt, and with another seed by hand', () => {
		const one = (json: IDataObject) =>
			pass(prompt('$json.a + $json.n'), json, { prompt: `${json.a}${json.n}` });
		const same: Array<[Wish, Wish]> = [
			[one({ a: '1 boat', n: 1 }), one({ a: '1 boat', n: '2' })],
			[one({ a: 'Boat', n: 1 }), one({ a: 'Boat 1 2', n: 1 })],
			[pass({ prompt: 'Boat 1' }, {}), pass({ prompt: 'Boat 1 2' }, {})],
			[byHand({ seed: 1 }), byHand({ seed: 2 })],
			[byHand({ prompt: 'Boat 1' }), byHand({ prompt: 'Boat 2' })],
		];
		const others: Array<[Wish, Wish]> = [
			[one({ a: '1 boat', n: 1 }), one({ a: '2 boats', n: 1 })],
			[byHand({ seconds: 1 }), byHand({ seconds: 2 })],
			[
				pass({ duration: '={{ $json.n }}' }, { n: 1 }, { duration: 1 }),
				pass({ duration: '={{ $json.n }}' }, { n: 2 }, { duration: 2 }),
			],
		];
		for (const [a, b] of [...same, ...others]) expect(isSameWish(a, b)).toBe(false);
		for (const [a, b] of same) expect(isSameWish(a, b, 'anywhere')).toBe(true);
		for (const [a, b] of others) expect(isSameWish(a, b, 'anywhere')).toBe(false);
		const inExpressions = same.filter(([a, b]) => isSameWish(a, b, 'inExpressions'));
		expect(inExpressions).toEqual([same[0]]);
	});
});

describe('a wish', () => {
	it.each<[string, IDataObject]>([
		['the way of waiting', { wait: 'durable' }],
		['what an agent is told of its tool', { toolDescription: 'Makes boats' }],
		['what the item holds', { downloadVideo: true, options: { rawResponse: true } }],
		['how the model was chosen', { model: { ...model, mode: 'id', cachedResultName: 'Veo' } }],
	])('does not change with %s', (_what, more) => {
		expect(isSameWish(wish(more), wish())).toBe(true);
	});

	it('changes with what is asked for, and with an option more or less', () => {
		const sora = { mode: 'list', value: 'sora' };
		const asked = [
			...[{}, { prompt: 'A tree' }, { model: sora }, { duration: 8 }, { resolution: '720p' }],
			...[{ options: { seed: 1 } }, { options: { seed: 2 } }],
			{ options: { seed: 1, negativePrompt: 'People' } },
		];
		const wishes = asked.map((more) => wish(more));
		wishes.forEach((one, i) =>
			expect(wishes.map((other) => isSameWish(one, other))).toEqual(asked.map((_, j) => i === j)),
		);
	});

	it('does not change with the order in which options are set', () => {
		const [one, other] = [
			{ seed: 1, negativePrompt: 'a' },
			{ negativePrompt: 'a', seed: 1 },
		];
		expect(isSameWish(wish({ options: one }), wish({ options: other }))).toBe(true);
	});

	it('of an agent changes with what it asks for, and not with the call', () => {
		const call = (json: IDataObject) => wish(prompt('$json'), { json }, { forAgent: true });
		const boat = call({ prompt: 'A boat', toolCallId: '1' });
		expect(isSameWish(call({ prompt: 'A boat', toolCallId: '2' }), boat)).toBe(true);
		expect(isSameWish(call({ toolCallId: '2', prompt: 'A boat' }), boat)).toBe(true);
		expect(isSameWish(call({ prompt: 'A tree', toolCallId: '1' }), boat)).toBe(false);
	});

	it('changes with files only if they are read, and both items have some', () => {
		const of = (parameters: IDataObject, id?: string) =>
			wish(
				parameters,
				id === undefined ? {} : { binary: { data: { mimeType: 'image/png', data: '', id } } },
			);
		const read = { imageSource: 'binary' };
		expect(isSameWish(of(read, 'a'), of(read, 'b'))).toBe(false);
		expect(isSameWish(of(read, 'a'), of(read, 'a'))).toBe(true);
		expect(isSameWish(of(read, 'a'), of(read))).toBe(true);
		expect(isSameWish(of({}, 'a'), of({}, 'b'))).toBe(true);
	});

	it('changes with files that n8n keeps in the item, which have no ID', () => {
		const of = (data: string) =>
			wish({ imageSource: 'binary' }, { binary: { data: { mimeType: 'image/png', data } } });
		expect(isSameWish(of('a'), of('b'))).toBe(false);
		expect(isSameWish(of('a'), of('a'))).toBe(true);
	});

	it.each(['after', 'service'])('compares the fact "%s" only if both have it', (name) => {
		const of = (fact?: string) => ({ ...wish(), ...(fact && { [name]: toFact(fact) }) });
		expect(isSameWish(of('a'), of('b'))).toBe(false);
		expect(isSameWish(of('a'), of('a'))).toBe(true);
		expect(isSameWish(of('a'), of())).toBe(true);
	});
});

/** What a video is asked for by: another value is another video, which is paid for. */
const WISHED = [
	...['model', 'prompt', 'imageSource', 'image', 'imageBinaryProperty'],
	...['duration', 'aspectRatio', 'resolution', 'additionalFields', 'generateAudio', 'images'],
	...['film', 'modelFamily', 'negativePrompt', 'personGeneration', 'seed'],
];

it('each parameter and option of Video Generate is decided on: whether another value is another video', () => {
	const { options = [] } = videoGenerateFields.find(({ name }) => name === 'options')!;
	const names = [...videoGenerateFields, ...options].map(({ name }) => name);
	const decided = [...WISHED, ...NOT_WISHED, 'options'];
	expect([...new Set(names)].sort()).toEqual(decided.sort());
	for (const name of names.filter((one) => one !== 'options')) {
		const isOption = options.some((option) => option.name === name);
		const of = (value: string) =>
			wish(isOption ? { options: { [name]: value } } : { [name]: value });
		expect([name, isSameWish(of('a'), of('b'))]).toEqual([name, NOT_WISHED.includes(name)]);
		expect([name, isSameWish(of('a'), wish())]).toEqual([name, NOT_WISHED.includes(name)]);
	}
});
