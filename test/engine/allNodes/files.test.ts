import type { IDataObject } from 'n8n-workflow';

import { createSandbox, type Sandbox } from '../../../sandbox/service';
import { drawVideo } from '../../../sandbox/service/drawnVideo';
import {
	type BinaryMode,
	createEngine,
	type Engine,
	type EngineNode,
	projectVersion,
} from '../../support/engine';
import { byId, inARow, KEY, PACKAGE, planned, to, videoGenerate } from '../../support/stage';
import { stores } from '../videoJoin/support/stage';

// A file of an earlier node that an expression gives, as n8n's own nodes take it.

const FILE = "={{ $('Stores').item.binary.data }}";
const PNG = Buffer.from('\x89PNG\r\n\x1a\n and a picture', 'latin1');
const MODES: BinaryMode[] = ['default', 'filesystem'];

let engine: Engine;
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox();
	engine = await createEngine({ 'test.stores': stores });
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	engine?.close();
	await sandbox?.close();
});

/** Runs a node on an item without files, whose prompt is `A boat`, behind one that stores a file. */
async function run(node: EngineNode, bytes: Buffer, mimeType: string, binaryMode: BinaryMode) {
	const file = { data: bytes.toString('base64'), mimeType };
	const access = { baseUrl: sandbox.url, apiKey: KEY };
	const result = await engine.run({
		nodes: [
			{ type: 'test.stores', name: 'Stores' },
			{ type: 'n8n-nodes-base.set', name: 'Set', parameters: { prompt: 'A boat' } },
			{ ...node, name: 'Node' },
		],
		connections: { Stores: { main: [to('Set')] }, Set: { main: [to('Node')] } },
		items: [{ json: {}, binary: { data: file } }],
		credentials: { videoGenerationApi: access, geminiCompatibleApi: access },
		binaryMode,
	});
	const [{ body } = {}] = sandbox.requests.filter(({ method }) => method === 'POST');
	return { result, sent: JSON.stringify(body) };
}

const withImage = (imageBinaryProperty: string) =>
	videoGenerate({ wait: 'none', imageSource: 'binary', imageBinaryProperty });
const generateContent = (inputBinaryFields: unknown) =>
	({
		type: `${PACKAGE}.generateContent`,
		parameters: { model: byId('gemini-2.5-flash'), prompt: 'What is it?', inputBinaryFields },
	}) as EngineNode;

describe.each(MODES)('kept in %s', (mode) => {
	it('is the first frame of a video', async () => {
		const { sent } = await run(withImage(FILE), PNG, 'image/png', mode);
		expect(sent).toContain(PNG.toString('base64'));
	});

	it.each([FILE, "={{ [$('Stores').item.binary.data] }}"])(
		'goes along with a prompt: %s',
		async (file) => {
			const { sent } = await run(generateContent(file), PNG, 'image/png', mode);
			expect(sent).toContain(`"data":"${PNG.toString('base64')}"`);
		},
	);

	it('is a clip of a film', async () => {
		const clip = await drawVideo('landscape', 'A boat', 0.2);
		const node = { type: `${PACKAGE}.videoJoin`, parameters: { binaryPropertyName: FILE } };
		const { result } = await run(node as EngineNode, clip, 'video/mp4', mode);
		expect(result.outputs()[0]).toMatchObject([{ json: { clips: [{ item: 0 }] } }]);
	});
});

// n8n 1 has no such setting.
const withFilesInJson = projectVersion() === '1' ? describe.skip : describe;

withFilesInJson('kept in the JSON of an item (binaryMode: combined)', () => {
	const ROW = { prompt: 'A boat' };
	/** Runs a node behind one that stores files, or one as `data`. */
	async function play(
		node: EngineNode,
		bytes: Buffer,
		mimeType: string,
		{ json = ROW, names = ['data'] }: { json?: IDataObject; names?: string[] } = {},
	) {
		const file = { data: bytes.toString('base64'), fileName: 'came.in', mimeType };
		const access = { baseUrl: sandbox.url, apiKey: KEY };
		const result = await engine.run({
			...inARow({ type: 'test.stores', name: 'Stores' }, { ...node, name: 'Node' }),
			items: [{ json, binary: Object.fromEntries(names.map((name) => [name, file])) }],
			credentials: { videoGenerationApi: access, geminiCompatibleApi: access },
			...{ binaryMode: 'filesystem', settings: { binaryMode: 'combined' } },
		});
		if (result.error) throw result.error;
		return result;
	}
	async function runAt(node: EngineNode, bytes: Buffer, mimeType: string, json?: IDataObject) {
		const { outputs } = await play(node, bytes, mimeType, { json });
		return outputs().map((items) => items.map(({ json }) => json));
	}
	const named = (files: Record<string, string>) =>
		Object.fromEntries(Object.entries(files).map(([name, fileName]) => [name, { fileName }]));

	it('is the first frame of a video by its name, and does not pass for the video', async () => {
		const [[json]] = await runAt(withImage('data'), PNG, 'image/png');
		expect(sandbox.tasks()).toMatchObject([{ mode: 'image-to-video' }]);
		expect(json).not.toHaveProperty('_files');
	});

	it.each([
		['continueRegularOutput', 0, undefined],
		['continueErrorOutput', 1, named({ data: 'came.in' })],
	] as const)(
		'stays with a failing item only at an error output (%s)',
		async (onError, at, _files) => {
			const prompt = planned('A boat', { submit: 'forbidden' });
			const outputs = await runAt({ ...videoGenerate(), onError }, PNG, 'image/png', { prompt });
			const failed = { prompt, error: { billed: 'no' }, ...(_files && { _files }) };
			expect(outputs[at]).toMatchObject([failed]);
			expect('_files' in outputs[at][0]).toBe(_files !== undefined);
			expect(outputs.flat()).toHaveLength(1);
		},
	);

	it('is a clip of a film, whatever else the item says', async () => {
		const clip = await drawVideo('landscape', 'A boat', 0.2);
		const node = { type: `${PACKAGE}.videoJoin` };
		const [[json]] = await runAt(node, clip, 'video/mp4', { error: 'of another node' });
		expect(json).toMatchObject({ clips: [{ item: 0 }], _files: named({ data: 'film.mp4' }) });
	});

	it('is one of several videos in an item, of which the person is told', async () => {
		const clip = await drawVideo('landscape', 'A boat', 0.2);
		const node = { type: `${PACKAGE}.videoJoin` };
		const { hints } = await play(node, clip, 'video/mp4', { names: ['data', 'data_1'] });
		const message = expect.stringMatching(/^Of several videos in an item, one is joined/);
		expect(hints()).toMatchObject([{ message }]);
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

describe('what is no file', () => {
	const tell = async (node: EngineNode) => {
		const { result, sent } = await run(node, PNG, 'image/png', 'filesystem');
		expect(sent).toBeUndefined();
		return result.error as unknown as { message: string; description: string };
	};
	const inline = (image: string) => videoGenerate({ wait: 'none', imageSource: 'base64', image });

	it('is the name of the storage: the picture is to be had by Binary Field', async () => {
		const error = await tell(inline("={{ $('Stores').item.binary.data.data }}"));
		expect(error.message).toMatch(/^Image Data is "filesystem-v2", where n8n stores the file/);
		expect(error.description).toMatch(/^For a file, choose Binary Field/);
	});

	it('is missing in $binary, which n8n gives without the bytes', async () => {
		const error = await tell(inline('={{ $binary.data.data }}'));
		expect(error.description).toMatch(/^For a file, choose Binary Field/);
	});

	it('is an expression on Fixed', async () => {
		const error = await tell(withImage("{{ $('Stores').item.binary.data }}"));
		expect(error.description).toMatch(/^Switch the field from Fixed to Expression/);
	});

	it.each([
		['Video Generate', withImage("={{ 'A'.repeat(9000) }}")],
		['Generate Content', generateContent("={{ 'A'.repeat(9000) }}")],
		['an object', withImage("={{ { a: 'A'.repeat(9000) } }}")],
	])('is not quoted whole: %s', async (_where, node) => {
		const { message, description } = await tell(node);
		expect(message).toMatch(
			/^(The item has no binary field "A{50}\.\.\."|Input Binary Field is no)/,
		);
		expect(`${message}${description}`.length).toBeLessThan(300);
	});
});
