import type { IDataObject } from 'n8n-workflow';

import {
	buildRequest,
	mergeFields,
	mergeSettings,
	mergeTools,
	toContents,
} from '../../../../nodes/shared/text/request';

describe('buildRequest', () => {
	it('takes what extra fields set where nothing else does', () => {
		const extraFields = {
			systemInstruction: { parts: [{ text: 'Extra' }] },
			safetySettings: [{ category: 'A' }],
			generationConfig: { topK: 1, seed: 1 },
			tools: [{ urlContext: {} }],
			toolConfig: { functionCallingConfig: { mode: 'NONE' } },
			cachedContent: 'x',
		};
		const own = {
			systemInstruction: { parts: [{ text: 'Own' }] },
			safetySettings: [{ category: 'B' }],
			generationConfig: { seed: 2 },
			tools: [{ googleSearch: {} }],
			toolConfig: { retrievalConfig: { latLng: { latitude: 1, longitude: 2 } } },
		};
		const contents = toContents([], 'Hi', []);
		expect(buildRequest(contents, own, extraFields)).toEqual({
			systemInstruction: { parts: [{ text: 'Own' }] },
			safetySettings: [{ category: 'B' }, { category: 'A' }],
			generationConfig: { topK: 1, seed: 2 },
			tools: [{ googleSearch: {} }, { urlContext: {} }],
			toolConfig: {
				functionCallingConfig: { mode: 'NONE' },
				retrievalConfig: { latLng: { latitude: 1, longitude: 2 } },
			},
			cachedContent: 'x',
			contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
		});
	});
});

const parsed = (json: string) => JSON.parse(json) as IDataObject;

describe('mergeFields', () => {
	it.each([
		[
			'what is inside',
			{ thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' } },
			{ thinkingConfig: { thinkingLevel: 'low' } },
			{ thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } },
		],
		['false, 0 and null as values', { a: 1, b: 1, c: 1 }, { a: false, b: 0, c: null }, undefined],
		[
			'a schema as one value',
			{ responseSchema: { title: 'x' } },
			{ responseSchema: {} },
			undefined,
		],
		[
			'what excludes it inside',
			{ voiceConfig: { replicatedVoiceConfig: {} } },
			{ voiceConfig: { prebuiltVoiceConfig: {} } },
			undefined,
		],
	])('%s', (_what, extra, own, merged) => {
		expect(mergeFields(extra as never, own as never)).toEqual(merged ?? own);
	});

	it('takes any name for a name', () => {
		const extra = parsed('{"__proto__":{"a":1},"constructor":{"a":1},"toString":1}');
		const own = parsed('{"__proto__":{"b":2},"constructor":{"b":2}}');
		expect(JSON.stringify(mergeFields(extra, own))).toBe(
			'{"__proto__":{"a":1,"b":2},"constructor":{"a":1,"b":2},"toString":1}',
		);
		expect(({} as IDataObject).a).toBeUndefined();
	});
});

describe('lists', () => {
	const SEARCH = { googleSearch: {} };
	const CODE = { codeExecution: {} };
	const FILTERED = { googleSearch: { timeRangeFilter: {} } };
	const [STORE_A, STORE_B] = ['a', 'b'].map((name) => ({
		fileSearch: { fileSearchStoreNames: [name] },
	}));
	const NOW = { functionDeclarations: [{ name: 'now' }] };
	const LATER = { functionDeclarations: [{ name: 'later' }] };

	it.each([
		['tools that only one has', [CODE], [SEARCH], [SEARCH, CODE]],
		['with its settings', [FILTERED], [SEARCH], [FILTERED]],
		['two tools in one entry', [{ ...FILTERED, ...CODE }], [SEARCH, CODE], [FILTERED, CODE]],
		['a tool that is twice in the one', [STORE_A, STORE_B], [SEARCH], [SEARCH, STORE_A, STORE_B]],
		['functions as they are', [NOW, LATER], [SEARCH], [SEARCH, NOW, LATER]],
		['what is no tool', [null, 'x', {}], [], []],
	])('%s', (_what, extra, own, merged) => {
		expect(mergeTools(extra, own)).toEqual(merged);
	});

	it('one setting for a category', () => {
		const off = { category: 'A', threshold: 'OFF' };
		const extra = [
			{ category: 'A', threshold: 'BLOCK_NONE', method: 'SEVERITY' },
			{ category: 'B' },
		];
		expect(mergeSettings(extra, [off])).toEqual([
			{ ...off, method: 'SEVERITY' },
			{ category: 'B' },
		]);
	});
});
