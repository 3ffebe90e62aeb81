import type { INodeExecutionData } from 'n8n-workflow';

import type { BinaryMode } from '../../../support/engine';
import { byId } from '../../../support/stage';
import { TEXT_MODEL, TYPE, useTextStage } from '../support/stage';

const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const withFiles = (binary: INodeExecutionData['binary']): INodeExecutionData[] => [
	{ json: {}, binary },
];

const { stage, requests, bodyOf } = useTextStage();

describe('files', () => {
	it('go along with the prompt', async () => {
		const binary = {
			data: { data: PNG, mimeType: 'application/octet-stream' },
			report: { data: base64('%PDF-1.7'), mimeType: 'application/pdf' },
			list: { data: base64('{"a":1}'), mimeType: 'application/json; charset=utf-8' },
		};
		const parameters = { prompt: 'Compare', inputBinaryFields: 'data, report,list' };
		const { contents } = await bodyOf({ parameters, items: withFiles(binary) });
		expect(contents[0].parts).toEqual([
			{ inlineData: { mimeType: 'image/png', data: PNG } },
			{ inlineData: { mimeType: 'application/pdf', data: base64('%PDF-1.7') } },
			{ inlineData: { mimeType: 'text/plain', data: base64('{"a":1}') } },
			{ text: 'Compare' },
		]);
	});

	it('may go along without a prompt, with the last turn of the user', async () => {
		const binary = { data: { data: PNG, mimeType: 'image/png' } };
		const conversation = { turns: [{ role: 'user', text: 'What is it?' }] };
		const { contents } = await bodyOf({
			parameters: { inputBinaryFields: 'data', options: { conversation } },
			items: withFiles(binary),
		});
		expect(contents).toEqual([
			{ role: 'user', parts: [{ inlineData: expect.anything() }, { text: 'What is it?' }] },
		]);
	});

	/** One node makes files, which n8n stores; the next one sends them along. */
	const passOn = async (bytes: number[], binaryMode: BinaryMode) => {
		const { createHash } = await import('node:crypto');
		const parts = bytes.map((length) => {
			const data = Buffer.alloc(length, 'audio').toString('base64');
			return { inlineData: { mimeType: 'audio/mpeg', data } };
		});
		const plan = {
			text: { status: 200, json: { candidates: [{ content: { parts }, finishReason: 'STOP' }] } },
		};
		const node = (name: string, parameters: object) => ({
			name,
			type: TYPE,
			parameters: { model: byId(TEXT_MODEL), prompt: name, ...parameters } as never,
			onError: 'continueErrorOutput' as const,
		});
		stage.sandbox.set({ plan });
		await stage.engine.run({
			nodes: [node('Make', {}), node('Pass On', { inputBinaryFields: 'data, data_1' })],
			connections: { Make: { main: [[{ node: 'Pass On', type: 'main', index: 0 }]] } },
			credentials: { geminiCompatibleApi: stage.credentials.geminiCompatibleApi as never },
			binaryMode,
		});
		const sent = parts.map(({ inlineData: { mimeType, data } }) => {
			const sha256 = createHash('sha256').update(data).digest('hex');
			return { inlineData: { mimeType, data: { length: data.length, sha256 } } };
		});
		return sent;
	};

	it.each(['default', 'filesystem'] as const)(
		'come from where n8n keeps them: %s',
		async (mode) => {
			const sent = await passOn([3_000_001, 2_000_000], mode);
			expect(requests()[1].body?.contents?.[0].parts).toEqual([...sent, { text: 'Pass On' }]);
		},
	);
});
