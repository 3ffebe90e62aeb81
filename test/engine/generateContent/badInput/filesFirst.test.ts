import type { INodeExecutionData, OnError } from 'n8n-workflow';

import { byId } from '../../../support/stage';
import { TEXT_MODEL, TYPE, useTextStage } from '../support/stage';

const { stage, run, asked } = useTextStage();

const base64 = (bytes: number) => Buffer.alloc(bytes, 'a').toString('base64');

const MODES: Array<[OnError, number]> = [
	['stopWorkflow', 0],
	['continueRegularOutput', 1],
	['continueErrorOutput', 1],
];

const eachMode = (bad: string[]) =>
	bad.flatMap((what) => MODES.map(([onError, count]) => ({ what, onError, count })));

describe('the files of the last item are checked before the first item is sent', () => {
	const FILES = {
		empty: { bytes: 0, mimeType: 'text/plain' },
		'too large': { bytes: 16_000_000, mimeType: 'audio/mpeg' },
		'no image': { bytes: 99, mimeType: 'image/png' },
	};

	it.each(eachMode(Object.keys(FILES)))(
		'in the item, $what: $onError sends $count',
		async ({ what, onError, count }) => {
			const toItem = (bytes: number, mimeType: string): INodeExecutionData => ({
				json: {},
				binary: { data: { data: base64(bytes), mimeType } },
			});
			const { bytes, mimeType } = FILES[what as keyof typeof FILES];
			await run({
				parameters: { images: 'data', options: { concurrency: 1 } },
				items: [toItem(9, 'text/plain'), toItem(bytes, mimeType)],
				onError,
			});
			expect(asked()).toHaveLength(count);
		},
	);

	/** Names for the second item; n8n stores the files that the node before makes. */
	const FIELDS = { 'too large': 'data,data,data', 'no image': 'data_1' };

	const NAMES = ['data', 'data_1'];

	it.each(eachMode(Object.keys(FIELDS)))(
		'in storage, $what: $onError sends $count',
		async ({ what, onError, count }) => {
			const parts = [
				{ inlineData: { mimeType: 'audio/mpeg', data: base64(6_000_000) } },
				{ inlineData: { mimeType: 'image/png', data: base64(99) } },
			];
			stage.sandbox.set({
				plan: { text: { always: { status: 200, json: { candidates: [{ content: { parts } }] } } } },
			});
			const images = `={{ $itemIndex === 0 ? 'data' : '${FIELDS[what as keyof typeof FIELDS]}' }}`;
			const node = (name: string, parameters: object, more: object = {}) => ({
				name,
				type: TYPE,
				parameters: { model: byId(TEXT_MODEL), prompt: name, ...parameters } as never,
				...more,
			});
			const result = await stage.engine.run({
				nodes: [
					node('Make', {}),
					node('Pass On', { images, options: { concurrency: 1 } }, { onError }),
				],
				connections: { Make: { main: [[{ node: 'Pass On', type: 'main', index: 0 }]] } },
				items: [{ json: {} }, { json: {} }],
				credentials: { nativeTextApi: stage.credentials.nativeTextApi as never },
				binaryMode: 'filesystem',
			});
			const [items] = result.outputs('Make');
			expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([NAMES, NAMES]);
			const isPassedOn = (body: unknown) => JSON.stringify(body).includes('Pass On');
			expect(asked().filter(({ body }) => isPassedOn(body))).toHaveLength(count);
			expect(asked()).toHaveLength(2 + count);
		},
	);
});
