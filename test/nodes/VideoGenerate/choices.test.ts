import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { loadChoices } from '../../../nodes/VideoGenerate/choices';
import { toStream } from '../GenerateContent/support/textContext';

type Choice = Parameters<typeof loadChoices>[1];

interface Form {
	model?: string;
	modelFamily?: string;
	/** What was chosen before. */
	chosen?: string | number;
	/** `owned_by` of the models that the service lists; none if it cannot be asked. */
	owners?: Record<string, string>;
	/** Whether the service is New API, as it is by default. */
	isNewApi?: boolean;
}

/** Opens a list as the editor does; returns it with how often the service was asked. */
async function open(form: Form, choice: Choice) {
	const { model = '', modelFamily, chosen, owners, isNewApi = true } = form;
	const set: IDataObject = { model, 'options.modelFamily': modelFamily, [choice]: chosen };
	let asked = 0;
	const httpRequestWithAuthentication = async () => {
		asked++;
		const data = Object.entries(owners!).map(([id, owned_by]) => ({ id, owned_by }));
		const headers = isNewApi ? { 'x-oneapi-request-id': '1' } : {};
		return { statusCode: 200, headers, body: toStream(JSON.stringify({ data })) };
	};
	const context = {
		getNode: () => ({ name: 'Video Generate' }),
		getCurrentNodeParameter: (path: string) => set[path],
		getCredentials: async () => {
			if (!owners) throw new Error('Node does not have any credentials set');
			return { baseUrl: 'https://api.example.com', apiKey: 'key' };
		},
		helpers: { httpRequestWithAuthentication },
	};
	const list = await loadChoices(context as unknown as ILoadOptionsFunctions, choice);
	return { list, asked };
}

/** Returns what a person reads. */
const namesOf = async (form: Form, choice: Choice) =>
	(await open(form, choice)).list.map(({ name }) => name);

const seconds = (...all: number[]) => all.map((one) => `${one} Second${one === 1 ? '' : 's'}`);
const LANDSCAPE = '16:9 (Landscape)';
const PORTRAIT = '9:16 (Portrait)';
const SQUARE = '1:1 (Square)';

/** The default that is told, and what follows it in each list. */
const LISTS: Array<[model: string, lists: Partial<Record<Choice, string[]>>]> = [
	[
		'veo-3.1-fast-generate-001',
		{
			duration: ['8 Seconds', ...seconds(4, 6, 8)],
			aspectRatio: ['16:9', LANDSCAPE, PORTRAIT],
			resolution: ['720p', '720p', '1080p', '4K'],
		},
	],
	[
		'wan2.5-i2v-preview',
		{
			duration: ['5 Seconds', ...seconds(5, 10)],
			aspectRatio: [''],
			resolution: ['1080p', '480p', '720p', '1080p'],
		},
	],
	// Gateways from before autumn 2026 ask for 720p.
	['wan3.0-video', { resolution: ['720p or 1080p', '480p', '720p', '1080p'] }],
	['kling-v3', { resolution: [''] }],
];

describe.each(LISTS)('%s', (model, lists) => {
	it.each(Object.entries(lists) as Array<[Choice, string[]]>)(
		'lists its values of %s',
		async (choice, [told, ...names]) => {
			const { list } = await open({ model }, choice);
			const byDefault = `Model Default${told && ` (${told})`}`;
			expect(list.map(({ name }) => name)).toEqual([byDefault, ...names]);
			expect(list[0].value).toBe('');
			expect(list[0].description).toEqual(names.length > 0 ? undefined : expect.any(String));
		},
	);
});

it('where a family has no such setting, the default says where the value comes from', async () => {
	const saying = async (model: string, choice: Choice) =>
		(await open({ model }, choice)).list[0].description;
	expect(await saying('MiniMax-Hailuo-02', 'aspectRatio')).toMatch(/^The shape comes from/);
	expect(await saying('jimeng_v30', 'resolution')).toMatch(
		/each of them renders in one resolution/,
	);
});

const KLING = [LANDSCAPE, PORTRAIT, SQUARE];
const ratios = async (form: Form) => (await namesOf(form, 'aspectRatio')).slice(1);

it('a newer model gets the values of the newest known one, which are said not to be known', async () => {
	const { list } = await open({ model: 'veo-99.0' }, 'resolution');
	const description = expect.stringContaining('Not known for this model') as string;
	expect(list).toEqual([
		{ name: 'Model Default', value: '' },
		{ name: '720p', value: '720p', description },
		{ name: '1080p', value: '1080p', description },
		{ name: '4K', value: '4k', description },
	]);
	const lengths = await open({ model: 'doubao-seedance-99-0' }, 'duration');
	expect(lengths.list.at(-1)).toMatchObject({ value: 30, description });
	expect(lengths.list[1]).toEqual({ name: 'Automatic', value: -1, description });
	// No other resolution can be written.
	expect((await open({ model: 'wan2.9-t2v' }, 'resolution')).list[1]).toEqual({
		...{ name: '480p', value: '480p' },
		description,
	});
});

it('at a service that is not New API, the name tells the lists, whoever owns the model', async () => {
	const owners = { 'veo-3.1': 'kling' };
	const form = { model: 'veo-3.1', owners, isNewApi: false };
	expect((await open(form, 'duration')).list.map(({ value }) => value)).toEqual(['', 4, 6, 8]);
	expect(await ratios({ ...form, isNewApi: true })).toEqual(KLING);
});

describe('a model whose name says nothing', () => {
	const model = 'house-model';

	it('has the lists of Model Family, whatever the service tells', async () => {
		const form = { model, modelFamily: 'Kling', owners: { [model]: 'vidu' } };
		expect(await ratios(form)).toEqual(KLING);
	});

	it('has those of the family that the service tells', async () => {
		const owners = { other: 'vidu', [model]: 'kling' };
		expect(await ratios({ model, modelFamily: 'auto', owners })).toEqual(KLING);
		expect((await open({ model, owners }, 'aspectRatio')).asked).toBe(1);
	});

	it.each<[string, Form]>([
		['the service knows no more', { owners: { [model]: 'custom' } }],
		['the service does not list it', { owners: {} }],
		['there is no credential', {}],
	])('has the default alone where %s, and says what to do', async (_name, form) => {
		const { list } = await open({ model, ...form }, 'duration');
		expect(list).toEqual([{ name: 'Model Default', value: '', description: expect.any(String) }]);
		expect(list[0].description).toContain('Model Family');
	});
});

it('Model Family goes before the name', async () => {
	expect(await ratios({ model: 'veo-3', modelFamily: 'Kling' })).toEqual(KLING);
});

it('as long as no model is chosen, nothing is asked', async () => {
	const { list, asked } = await open({ owners: {} }, 'resolution');
	expect(list).toHaveLength(1);
	expect(list[0].description).toBe('Choose a model first');
	expect(asked).toBe(0);
});

it.each([
	['duration', 8, '8 Seconds'],
	['resolution', '720p', '720p'],
] as const)(
	'keeps what was chosen before of %s where the family is not known',
	async (choice, chosen, name) => {
		const form = { model: 'my-own-model', chosen, owners: {} };
		const { list } = await open(form, choice);
		expect(list.slice(1)).toEqual([
			{ name, value: chosen, description: expect.stringMatching(/does not know/) as string },
		]);
		const values = async (more: Form) =>
			(await open({ ...form, ...more }, choice)).list.map(({ value }) => value);
		expect(await values({ chosen: '' })).toEqual(['']);
		expect(await values({ chosen: '={{ $json.seconds }}' })).toEqual(['']);
		// Where it is known, the editor says that the model does not take it.
		expect(await values({ model: 'veo-3.1', chosen: '99' })).not.toContain('99');
	},
);
