import type { IDataObject } from 'n8n-workflow';

import { type BinaryMode, createEngine, type EngineNode } from '../../support/engine';
import {
	byId,
	inARow,
	type Mode,
	PACKAGE,
	planned,
	to,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { CLIP, stores } from '../videoJoin/support/stage';

// A file of an earlier node that an expression gives, as n8n's own nodes take it.

const FILE = "={{ $('Stores').item.binary.data }}";
const PNG = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1');
const MODES: BinaryMode[] = ['default', 'filesystem'];

const stage = useStage();
beforeAll(async () => {
	stage.engine.close();
	stage.engine = await createEngine({ 'test.stores': stores });
});

/** Runs a node on an item without files, whose prompt is `A boat`, behind one that stores a file. */
async function run(node: EngineNode, binaryMode: BinaryMode, bytes = PNG, mimeType = 'image/png') {
	const file = { data: bytes.toString('base64'), mimeType };
	const result = await stage.engine.run({
		nodes: [
			{ type: 'test.stores', name: 'Stores' },
			{ type: 'n8n-nodes-base.set', name: 'Set', parameters: { prompt: 'A boat' } },
			{ ...node, name: 'Node' },
		],
		connections: { Stores: { main: [to('Set')] }, Set: { main: [to('Node')] } },
		items: [{ json: {}, binary: { data: file } }],
		credentials: stage.credentials,
		binaryMode,
	});
	const [{ body } = {}] = stage.sandbox.requests.filter(({ method }) => method === 'POST');
	return { result, sent: JSON.stringify(body) };
}

const withImage = (imageBinaryProperty: string) =>
	videoGenerate({ wait: 'none', imageSource: 'binary', imageBinaryProperty });
const inline = (image: string) => videoGenerate({ wait: 'none', imageSource: 'base64', image });
const generateContent = (inputBinaryFields: unknown) =>
	({
		type: `${PACKAGE}.generateContent`,
		parameters: { model: byId('gemini-2.5-flash'), prompt: 'What is it?', inputBinaryFields },
	}) as EngineNode;

describe.each(MODES)('kept in %s', (mode) => {
	it.each([
		['is the first frame of a video', withImage(FILE)],
		['goes along in a list', generateContent("={{ [$('Stores').item.binary.data] }}")],
	])('%s', async (_what, node) => {
		expect((await run(node, mode)).sent).toContain(PNG.toString('base64'));
	});

	it('is a clip of a film', async () => {
		const node = { type: `${PACKAGE}.videoJoin`, parameters: { binaryPropertyName: FILE } };
		const { result } = await run(node as EngineNode, mode, CLIP, 'video/mp4');
		expect(result.outputs()[0]).toMatchObject([{ json: { clips: [{ item: 0 }] } }]);
	});
});

describe('kept in the JSON of an item (binaryMode: combined)', () => {
	/** Runs a node behind one that stores a file as `data`; gives the items of each output. */
	async function runAt(
		node: EngineNode,
		bytes: Buffer,
		mimeType: string,
		json: IDataObject = { prompt: 'A boat' },
	) {
		const data = { data: bytes.toString('base64'), fileName: 'came.in', mimeType };
		const result = await stage.engine.run({
			...inARow({ type: 'test.stores', name: 'Stores' }, { ...node, name: 'Node' }),
			items: [{ json, binary: { data } }],
			credentials: stage.credentials,
			binaryMode: 'filesystem',
			settings: { binaryMode: 'combined' },
		});
		if (result.error) throw result.error;
		return result.outputs().map((items) => items.map((item) => item.json));
	}
	const named = (files: Record<string, string>) =>
		Object.fromEntries(Object.entries(files).map(([name, fileName]) => [name, { fileName }]));

	it('is the first frame of a video by its name, and does not pass for the video', async () => {
		const [[json]] = await runAt(withImage('data'), PNG, 'image/png');
		expect(stage.sandbox.tasks()).toMatchObject([{ mode: 'image-to-video' }]);
		expect(json).not.toHaveProperty('_files');
	});

	it('stays with a failing item only at an error output', async () => {
		const prompt = planned('A boat', { submit: ['forbidden', 'forbidden'] });
		const fail = async (onError: Mode) =>
			await runAt({ ...videoGenerate(), onError }, PNG, 'image/png', { prompt });
		const failed = { prompt, error: { billed: 'no' } };
		const [[regular]] = await fail('continueRegularOutput');
		expect(regular).toMatchObject(failed);
		expect(regular).not.toHaveProperty('_files');
		const _files = named({ data: 'came.in' });
		expect(await fail('continueErrorOutput')).toMatchObject([[], [{ ...failed, _files }]]);
	});

	it('is a clip of a film, whatever else the item says', async () => {
		const node = { type: `${PACKAGE}.videoJoin` };
		const [[json]] = await runAt(node, CLIP, 'video/mp4', { error: 'of another node' });
		expect(json).toMatchObject({ clips: [{ item: 0 }], _files: named({ data: 'film.mp4' }) });
	});

	it('goes along with a prompt, and on beside the file of the answer', async () => {
		const node = generateContent('data');
		Object.assign(node.parameters!, {
			model: byId('gemini-2.5-flash-image'),
			outputFormat: 'image',
		});
		const [[json]] = await runAt(node, PNG, 'image/png');
		const files = named({ data: 'came.in', data_1: 'image.png' });
		expect(json._files).toMatchObject(files);
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
	const { result, sent } = await run(node, 'filesystem');
	const error = result.error as unknown as { message: string; description?: string };
	expect(sent).toBeUndefined();
	expect(error.message).toMatch(message);
	expect(error.description ?? '').toMatch(description);
	expect(JSON.stringify([error.message, error.description]).length).toBeLessThan(300);
});
