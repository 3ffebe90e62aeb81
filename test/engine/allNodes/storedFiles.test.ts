import type { IDataObject } from 'n8n-workflow';

import { type BinaryMode, createEngine, type EngineNode } from '../../support/engine';
import {
	byId,
	inARow,
	type Mode,
	PACKAGE,
	planned,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { clipOf, stores } from '../videoJoin/support/stage';

// A file of an earlier node that an expression gives, as n8n's own nodes take it.

const FILE = "={{ $('Stores').item.binary.data }}";
const PNG = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1');
const PICTURE = { bytes: PNG, mimeType: 'image/png' };
const VIDEO = { bytes: clipOf('landscape'), mimeType: 'video/mp4' };
const stage = useStage();
beforeAll(async () => {
	stage.engine.close();
	stage.engine = await createEngine({ 'test.stores': stores });
});

interface Setting {
	file?: { bytes: Buffer; mimeType: string };
	/** Beside a prompt. */
	json?: IDataObject;
	binaryMode?: BinaryMode;
	/** Of the workflow: `combined` keeps files in the JSON of an item. Else the node gets no file. */
	settings?: { binaryMode: 'combined' };
}

/** Runs a node behind one that stores a file and one that passes on JSON alone. */
async function run(
	node: EngineNode,
	{ file: { bytes, mimeType } = PICTURE, json, ...setting }: Setting = {},
) {
	const data = { data: bytes.toString('base64'), fileName: 'came.in', mimeType };
	const result = await stage.engine.run({
		...inARow(
			{ type: 'test.stores', name: 'Stores' },
			{ type: 'n8n-nodes-base.set', name: 'Set', parameters: { prompt: '={{ $json.prompt }}' } },
			{ ...node, name: 'Node' },
		),
		items: [{ json: { prompt: 'A boat', ...json }, binary: { data } }],
		credentials: stage.credentials,
		binaryMode: 'filesystem',
		...setting,
	});
	const [{ body } = {}] = stage.sandbox.requests.filter(({ method }) => method === 'POST');
	const items = result.outputs().map((output) => output.map((item) => item.json));
	return { error: result.error, sent: JSON.stringify(body), items };
}

const withImage = (imageBinaryProperty: string) =>
	videoGenerate({ wait: 'none', imageSource: 'binary', imageBinaryProperty });
const inline = (image: string) => videoGenerate({ wait: 'none', imageSource: 'base64', image });
const generateContent = (inputBinaryFields: string, outputFormat = 'text'): EngineNode => ({
	type: `${PACKAGE}.generateContent`,
	parameters: {
		model: byId(outputFormat === 'image' ? 'gemini-2.5-flash-image' : 'gemini-2.5-flash'),
		...{ prompt: 'What is it?', inputBinaryFields, outputFormat },
	},
});
const joins = (parameters = {}): EngineNode => ({ type: `${PACKAGE}.videoJoin`, parameters });

describe.each(['default', 'filesystem'] as const)('kept in %s', (binaryMode) => {
	it.each([
		['is the first frame of a video', withImage(FILE)],
		['goes along in a list', generateContent("={{ [$('Stores').item.binary.data] }}")],
	])('%s', async (_what, node) => {
		expect((await run(node, { binaryMode })).sent).toContain(PNG.toString('base64'));
	});

	it('is a clip of a film', async () => {
		const node = joins({ binaryPropertyName: FILE });
		const { items } = await run(node, { file: VIDEO, binaryMode });
		expect(items).toMatchObject([[{ clips: [{ item: 0 }] }]]);
	});
});

describe('kept in the JSON of an item', () => {
	const settings = { binaryMode: 'combined' } as const;
	const named = (files: Record<string, string>) =>
		Object.fromEntries(Object.entries(files).map(([name, fileName]) => [name, { fileName }]));

	it('is the first frame of a video by its name, and does not pass for the video', async () => {
		const { items } = await run(withImage('data'), { settings });
		expect(stage.sandbox.tasks()).toMatchObject([{ mode: 'image-to-video' }]);
		expect(items[0][0]).not.toHaveProperty('_files');
	});

	it('stays with a failing item only at an error output', async () => {
		const json = { prompt: planned('A boat', { submit: ['forbidden', 'forbidden'] }) };
		const fail = async (onError: Mode) =>
			(await run({ ...videoGenerate(), onError }, { settings, json })).items;
		const failed = { ...json, error: { billed: 'no' } };
		const [[regular]] = await fail('continueRegularOutput');
		expect(regular).toMatchObject(failed);
		expect(regular).not.toHaveProperty('_files');
		const _files = named({ data: 'came.in' });
		expect(await fail('continueErrorOutput')).toMatchObject([[], [{ ...failed, _files }]]);
	});

	it('is a clip of a film, whatever else the item says', async () => {
		const json = { error: 'of another node' };
		const { items } = await run(joins(), { file: VIDEO, settings, json });
		const _files = named({ data: 'film.mp4' });
		expect(items).toMatchObject([[{ clips: [{ item: 0 }], _files }]]);
	});

	it('goes along with a prompt, and on beside the file of the answer', async () => {
		const { items } = await run(generateContent('data', 'image'), { settings });
		const _files = named({ data: 'came.in', data_1: 'image.png' });
		expect(items).toMatchObject([[{ _files }]]);
	});
});

it.each<[string, EngineNode, says: RegExp]>([
	['as a picture', withImage('data'), /has no binary field "data"/],
	['as a file of a prompt', generateContent('data'), /has no binary field "data"/],
	['as a clip', joins(), /has no binary field "data"/],
])("`_files` of a stranger's JSON is no file %s", async (_what, node, says) => {
	// The file of another execution, by its ID.
	const data = { data: VIDEO.bytes.toString('base64'), mimeType: VIDEO.mimeType };
	const other = await stage.engine.run({
		...{ node: { type: 'test.stores' }, binaryMode: 'filesystem' },
		items: [{ json: {}, binary: { data } }],
	});
	const { binary } = other.outputs()[0][0];
	const result = await stage.engine.run({
		...{ node, credentials: stage.credentials, binaryMode: 'filesystem' },
		items: [{ json: { prompt: 'A boat', _files: binary as unknown as IDataObject } }],
	});
	expect(result.error?.message).toMatch(says);
	expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

describe.each<[what: string, node: EngineNode, label: string]>([
	['a picture', withImage('data'), 'Input Binary Field'],
	['a file of a prompt', generateContent('data'), 'Input Binary Fields'],
	['a clip', joins(), 'Input Binary Field'],
])('%s in another field', (_what, node, label) => {
	const missing = `The item has no binary field "data" (${label}): `;
	it.each([
		[['Photo'], 'it has Photo', /^Enter the name of the field that has the file in Input/],
		[
			['a', 'b\n', 'c', 'd', 'e', 'f', 'g'],
			'it has a, b\\u{a}, c, d, e and 2 more',
			/^Enter the name/,
		],
		[[], 'no node before this one has kept a file', /^Load the file in a node before/],
	])('is told with the fields that have files: %j', async (names, words, advice) => {
		const file = { data: PNG.toString('base64'), mimeType: 'image/png' };
		const binary = Object.fromEntries(names.map((name) => [name, file]));
		const items = [{ json: { prompt: 'A boat' }, ...(names.length > 0 && { binary }) }];
		const { error } = await stage.run(node, items);
		expect(error?.message).toBe(`${missing}${words} [item 0]`);
		expect(error?.description).toMatch(advice);
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});
});

const LONG = "={{ 'A'.repeat(9000) }}";
it.each<[what: string, node: EngineNode, message: RegExp, description?: RegExp]>([
	[
		'the name of the storage: the picture is to be had by Binary Field',
		inline("={{ $('Stores').item.binary.data.data }}"),
		/^Image Data is "filesystem-v2", where n8n stores the file/,
		/^For a file, choose Binary Field/,
	],
	[
		'an expression on Fixed',
		withImage(FILE.slice(1)),
		/Input Binary Field/,
		/^Switch the field from Fixed to Expression/,
	],
	['a long text, which is not quoted whole', withImage(LONG), /no binary field "A{50}\.\.\."/],
])('what is no file is refused: %s', async (_what, node, message, description = /^/) => {
	const { error, sent } = await run(node);
	const words = [error?.message ?? '', error?.description ?? ''];
	expect(sent).toBeUndefined();
	expect(words[0]).toMatch(message);
	expect(words[1]).toMatch(description);
	expect(words.join().length).toBeLessThan(300);
});
