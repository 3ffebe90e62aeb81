import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { openVideo } from '../../../../sandbox/service/media';
import {
	type BinaryMode,
	createEngine,
	type Engine,
	type EngineNode,
} from '../../../support/engine';
import { type NodeSettings, PACKAGE, to } from '../../../support/stage';

/** A clip that needs no ffmpeg, `landscape` or `portrait`. */
export function clipOf(shape: string): Buffer {
	const { length, read } = openVideo(shape);
	return Buffer.concat([...read(0, length)]);
}

/** Puts the files of its items into n8n's storage, as nodes that download do. */
export const stores = {
	description: {
		...{ displayName: 'Stores', name: 'stores', group: ['transform'], version: 1, description: '' },
		...{ defaults: { name: 'Stores' }, inputs: ['main'], outputs: ['main'], properties: [] },
	},
	async execute(this: IExecuteFunctions) {
		const items: INodeExecutionData[] = [];
		for (const [item, { json, binary }] of this.getInputData().entries()) {
			const stored = Object.entries(binary ?? {}).map(
				async ([name, { data, fileName, mimeType }]) => {
					const bytes = Buffer.from(data, 'base64');
					return [name, await this.helpers.prepareBinaryData(bytes, fileName, mimeType)] as const;
				},
			);
			const files = Object.fromEntries(await Promise.all(stored));
			items.push({ json, ...(binary && { binary: files }), pairedItem: { item } });
		}
		return [items];
	},
} as unknown as INodeType;

export const stage = {} as { engine: Engine };

export function useEngine() {
	beforeAll(async () => {
		stage.engine = await createEngine({ 'test.stores': stores });
	});
	afterAll(() => stage.engine?.close());
}

/** An item with a clip, or with none. */
export const itemOf = (bytes: Buffer | undefined, json: IDataObject = {}, fileName = 'a.mp4') => ({
	json,
	...(bytes && {
		binary: { data: { data: bytes.toString('base64'), fileName, mimeType: 'video/mp4' } },
	}),
});

export const videoJoin = (parameters: IDataObject = {}, settings: NodeSettings = {}) =>
	({ type: `${PACKAGE}.videoJoin`, name: 'Video Join', parameters, ...settings }) as EngineNode;

/** A workflow whose clips are in n8n's storage. */
export const joining = (
	items: INodeExecutionData[],
	node: EngineNode = videoJoin(),
	binaryMode: BinaryMode = 'filesystem',
) => ({
	...{ items, binaryMode, resultNode: 'Video Join' },
	nodes: [{ type: 'test.stores', name: 'Stores' }, node],
	connections: { Stores: { main: [to('Video Join')] } },
});

export const join = async (...args: Parameters<typeof joining>) =>
	await stage.engine.run(joining(...args));

/** Joins clips to one film, and returns its bytes. */
export async function joinToFilm(clips: Buffer[], parameters?: IDataObject): Promise<Buffer> {
	const result = await join(
		clips.map((bytes) => itemOf(bytes)),
		videoJoin(parameters),
	);
	expect(result.error).toBeUndefined();
	const [{ binary }] = result.outputs()[0];
	return await stage.engine.readBinary(binary!.data);
}
