import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { loadChoices, loadFamilies, loadModelFields } from '../../../nodes/VideoGenerate/choices';
import { FAMILIES } from '../../../nodes/shared/models/families/families';
import { toStream } from '../GenerateContent/support/textContext';
import { answerOfFal, type Fields } from '../shared/models/support/answers';

type Choice = Parameters<typeof loadChoices>[1];

interface Form {
	model?: string;
	modelFamily?: string;
	/** What was chosen before. */
	chosen?: string | number;
	/** `owned_by` of the models that the service lists; none if it cannot be asked. */
	owners?: Record<string, string>;
	/** The service of the credential; New API by default. */
	api?: string;
}

/** Opens a list as the editor does; returns it with how often the service was asked. */
async function open(form: Form, choice: Choice) {
	const { model = '', modelFamily, chosen, owners, api } = form;
	const set: IDataObject = { model, 'options.modelFamily': modelFamily, [choice]: chosen };
	let asked = 0;
	const httpRequestWithAuthentication = async () => {
		asked++;
		const data = Object.entries(owners!).map(([id, owned_by]) => ({ id, owned_by }));
		return { statusCode: 200, headers: {}, body: toStream(JSON.stringify({ data })) };
	};
	const context = {
		getNode: () => ({ name: 'Video Generate' }),
		getCurrentNodeParameter: (path: string) => set[path],
		getCredentials: async () => {
			if (!owners) throw new Error('Node does not have any credentials set');
			return { api, baseUrl: 'https://api.example.com', apiKey: 'key' };
		},
		helpers: { httpRequestWithAuthentication },
	};
	const list = await loadChoices(context as unknown as ILoadOptionsFunctions, choice);
	return { list, asked };
}

const seconds = (...all: number[]) => all.map((one) => `${one} Second${one === 1 ? '' : 's'}`);
const LANDSCAPE = '16:9 (Landscape)';
const PORTRAIT = '9:16 (Portrait)';
const SQUARE = '1:1 (Square)';

it.each<[model: string, choice: Choice, told: string, names: string[]]>([
	['veo-3.1-fast-generate-001', 'duration', ' (8 Seconds)', seconds(4, 6, 8)],
	['veo-3.1-fast-generate-001', 'resolution', ' (720p)', ['720p', '1080p', '4K']],
	['MiniMax-Hailuo-2.3', 'duration', ' (6 Seconds)', seconds(6, 10)],
	['grok-imagine-video', 'resolution', ' (480p)', ['480p', '720p']],
	['wan2.5-i2v-preview', 'aspectRatio', '', []],
	// Gateways from before autumn 2026 ask for 720p.
	['wan3.0-video', 'resolution', ' (720p or 1080p)', ['480p', '720p', '1080p']],
])('%s lists its values of %s behind its default', async (model, choice, told, names) => {
	const { list } = await open({ model }, choice);
	expect(list.map(({ name }) => name)).toEqual([`Model Default${told}`, ...names]);
	expect(list[0].value).toBe('');
	expect(list[0].description).toEqual(names.length > 0 ? undefined : expect.any(String));
});

it('a newer model gets the values of the newest known one, which are said not to be known', async () => {
	const { list } = await open({ model: 'veo-99.0' }, 'resolution');
	const description = expect.stringContaining('Not known for this model') as string;
	expect(list).toEqual([
		{ name: 'Model Default', value: '' },
		{ name: '720p', value: '720p', description },
		{ name: '1080p', value: '1080p', description },
		{ name: '4K', value: '4k', description },
	]);
	// No other resolution can be written.
	expect((await open({ model: 'wan2.9-t2v' }, 'resolution')).list[1]).toEqual({
		...{ name: '480p', value: '480p' },
		description,
	});
});

const model = 'house-model';
const VEO = [LANDSCAPE, PORTRAIT];
const KLING = [LANDSCAPE, PORTRAIT, SQUARE];
const owners = { other: 'vidu', [model]: 'kling' };

it.each<[what: string, form: Form, ratios: string[]]>([
	['the service tells', { model, modelFamily: 'auto', owners }, KLING],
	['Model Family is, whatever the service tells', { model, modelFamily: 'Veo', owners }, VEO],
	['Model Family is, whatever the name says', { model: 'kling-v1', modelFamily: 'Veo' }, VEO],
	[
		'New API tells, whatever the name says',
		{ model: 'veo-3', owners: { 'veo-3': 'kling' } },
		KLING,
	],
	['the name says', { model: 'veo-3', owners: { 'veo-3': 'kling' }, api: 'customPaths' }, VEO],
])('the lists are those of the family that %s', async (_what, form, ratios) => {
	const { list, asked } = await open(form, 'aspectRatio');
	expect(list.slice(1).map(({ name }) => name)).toEqual(ratios);
	expect(asked > 0).toBe(form.modelFamily !== 'Veo' && form.api === undefined);
});

it.each<[string, Form]>([
	['the service does not list it', { owners: {} }],
	['there is no credential', {}],
])('a name that says nothing has the default alone where %s', async (_name, form) => {
	const { list } = await open({ model, ...form }, 'duration');
	expect(list).toEqual([
		{ name: 'Model Default', value: '', description: expect.stringContaining('Family') },
	]);
});

it('as long as no model is chosen, nothing is asked', async () => {
	const { list, asked } = await open({ owners: {} }, 'resolution');
	expect(list).toHaveLength(1);
	expect(list[0].description).toBe('Choose a model first');
	expect(asked).toBe(0);
});

it('keeps what was chosen before where the family is not known', async () => {
	const values = async (form: Form) =>
		(await open({ model, owners: {}, ...form }, 'duration')).list.map(({ value }) => value);
	expect(await values({ chosen: 8 })).toEqual(['', 8]);
	expect(await values({ chosen: '={{ $json.seconds }}' })).toEqual(['']);
	// Where it is known, the editor says that the model does not take it.
	expect(await values({ model: 'veo-3.1', chosen: 99 })).not.toContain(99);
});

describe('with fal, a list is that of the model that is asked for', () => {
	const duration = { type: 'string', enum: ['auto', '4s', '6s'], default: '4s' };
	const ratio = { type: 'string', default: '16:9' };

	/** Each model is asked for once. */
	let models = 0;
	beforeEach(() => void models++);
	const id = () => `fal-ai/model-${models}`;
	const ofFields = (fields: Fields) => () => answerOfFal(id(), fields);

	async function openFal(
		choice: Choice,
		chosen: string | number,
		status: number,
		answer: object,
		model = id(),
	) {
		const set: IDataObject = { model, [choice]: chosen };
		const body = toStream(JSON.stringify(answer));
		const context = {
			getNode: () => ({ name: 'Video Generate' }),
			getCurrentNodeParameter: (path: string) => set[path],
			getCredentials: async () => ({ api: 'fal', apiKey: 'key' }),
			helpers: {
				httpRequestWithAuthentication: async () => ({ statusCode: status, headers: {}, body }),
			},
		};
		return await loadChoices(context as unknown as ILoadOptionsFunctions, choice);
	}

	it('of a model that is entered as the address of its page', async () => {
		const page = `https://fal.ai/models/${id()}/api`;
		const list = await openFal('duration', '', 200, ofFields({ duration })(), page);
		expect(list.map(({ value }) => value)).toEqual(['', -1, 4, 6]);
	});

	it.each<[what: string, Choice, chosen: string | number, status: number, () => object, object[]]>([
		[
			...(['it takes some values', 'duration', 8, 200, ofFields({ duration })] as const),
			[
				{ name: 'Model Default (4 Seconds)', value: '' },
				{ name: 'Automatic', value: -1 },
				{ name: '4 Seconds', value: 4 },
				{ name: '6 Seconds', value: 6 },
			],
		],
		[
			...(['it takes any', 'aspectRatio', '9:16', 200, ofFields({ aspect_ratio: ratio })] as const),
			[{ name: 'Model Default (16:9)' }, { name: '9:16 (Portrait)', value: '9:16' }],
		],
		[
			...([
				'a word is no shape',
				'aspectRatio',
				'constructor',
				200,
				ofFields({ aspect_ratio: ratio }),
			] as const),
			[{ name: 'Model Default (16:9)' }, { name: 'constructor', value: 'constructor' }],
		],
		[
			...(['it has no such field', 'resolution', '4k', 200, ofFields({ duration })] as const),
			[{ description: 'This model has no such setting' }],
		],
		[
			...(['its schema says nothing', 'duration', 8, 200, ofFields({})] as const),
			[{ description: expect.stringContaining('shows no fields') as string }],
		],
		[
			...(['it cannot be asked for', 'duration', 8, 429, () => ({})] as const),
			[{ description: expect.stringContaining('could not be read') as string }, { value: 8 }],
		],
		[
			...(['there is none', 'duration', 8, 200, () => ({ models: [] })] as const),
			[{ description: 'fal shows no fields of this model' }],
		],
	])('%s', async (_what, choice, chosen, status, answer, wanted) => {
		const list = await openFal(choice, chosen, status, answer());
		expect(list).toHaveLength(wanted.length);
		expect(list).toMatchObject(wanted);
	});
});

it.each([
	['newApi', FAMILIES.length + 1],
	['openAiVideos', 1],
])('Model Family has its families at New API alone: %s', async (api, count) => {
	const context = {
		getNode: () => ({ name: 'Video Generate' }),
		getCredentials: async () => ({ api, baseUrl: 'https://api.example.com', apiKey: 'key' }),
	};
	const list = await loadFamilies(context as unknown as ILoadOptionsFunctions);
	expect(list).toHaveLength(count);
	expect(list[0]).toMatchObject({ name: 'Auto-Detect', value: 'auto' });
});

/** Opens the names of Model Fields for a model of fal with these fields. */
async function openFields(fields: Fields | undefined, api = 'fal', name = `ours/${++opened}`) {
	const answer = fields ? answerOfFal(name, fields) : { models: [] };
	const httpRequestWithAuthentication = async () => ({
		...{ statusCode: 200, headers: {}, body: toStream(JSON.stringify(answer)) },
	});
	const context = {
		getNode: () => ({ name: 'Video Generate' }),
		getCurrentNodeParameter: (path: string) => (path === 'model' ? name : undefined),
		getCredentials: async () => ({ api, baseUrl: 'https://api.example.com', apiKey: 'key' }),
		helpers: { httpRequestWithAuthentication },
	};
	return await loadModelFields(context as unknown as ILoadOptionsFunctions);
}

let opened = 0;

it('Model Fields lists what the form lacks, what is required first, as text', async () => {
	const list = await openFields({
		prompt: { type: 'string' },
		duration: { enum: ['5', '10'] },
		image_url: { type: 'string' },
		old: { type: 'string', deprecated: true },
		speed: {
			type: 'number',
			minimum: 0.5,
			maximum: 2,
			default: 1,
			description: 'Of <b>speech</b>',
		},
		'voice*': { type: 'string', enum: ['Ada', 'Emil'] },
		'lyrics*': { type: 'string', description: 'What is\nsung.' },
	});
	expect(list).toEqual([
		{ name: 'voice (required)', value: 'voice', description: 'One of: Ada, Emil.' },
		{ name: 'lyrics (required)', value: 'lyrics', description: 'Text. What is sung.' },
		{
			...{ name: 'speed', value: 'speed' },
			description: 'A number, from 0.5 to 2; default 1. Of &lt;b&gt;speech&lt;/b&gt;.',
		},
	]);
});

it.each<[string, fields: Fields | undefined, api?: string, name?: string]>([
	['The form has all that this model takes', { prompt: { type: 'string' } }],
	['fal shows no fields of this model', undefined],
	['Use Additional Fields (JSON)', {}, 'newApi'],
	['Choose a model first', {}, 'fal', ''],
])('where there are none, Model Fields says: %s', async (description, ...given) => {
	expect(await openFields(...given)).toMatchObject([{ value: '', description }]);
});
