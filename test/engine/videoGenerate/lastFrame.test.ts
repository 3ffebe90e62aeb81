import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import {
	byId,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';

// The last frame of a video: its address, and beside the film its picture.

const stage = useStage();
const SEEDANCE = byId('doubao-seedance-1-5-pro-251215');

/** Runs Video Generate with Return Last Frame, a video for each plan. */
async function generate(plans: Plan[], parameters: IDataObject = {}, access: IDataObject = INSIDE) {
	const { credentials } = stage;
	const { options, ...more } = parameters;
	const node = videoGenerate({
		...{ model: SEEDANCE, downloadVideo: true, ...more },
		options: { film: { returnLastFrame: true }, ...(options as IDataObject) },
	});
	const { videoGenerationApi } = credentials;
	const result = await stage.run(node, plannedRows(...plans), {
		credentials: { videoGenerationApi: { ...videoGenerationApi, ...access } },
	});
	const hints = result.hints().filter(({ message }) => message.includes('last frame'));
	return { items: result.outputs()[0], hints: hints.map(({ message }) => message) };
}

/** The storage host of the sandbox is on this machine, by another name. */
const INSIDE = { allowPrivateAddresses: true };
const pictures = () => stage.sandbox.requests.filter(({ path }) => path.endsWith('.png'));
const films = () => stage.sandbox.count({ path: /\/content$/ });

it.each([
	['the contract', 'contract'],
	['a real gateway', 'gateway'],
] as const)('comes as a picture beside the film, without the key: %s', async (_who, profile) => {
	stage.sandbox.set({ profile });
	const { items, hints } = await generate([{}, { video: 'square' }], {
		options: { binaryProperty: 'film', fileName: '=shot {{ $itemIndex }}.mp4' },
	});
	expect(items.map(({ json }) => json.last_frame_url)).toEqual([
		expect.stringMatching(/\/files\/landscape\.png\?task=/),
		expect.stringMatching(/\/files\/square\.png\?task=/),
	]);
	const files = items.map(({ binary = {} }) =>
		Object.entries(binary).map(([key, { fileName, fileType }]) => [key, fileName, fileType]),
	);
	expect(files).toEqual(
		[0, 1].map((i) => [
			['film', `shot ${i}.mp4`, 'video'],
			['last_frame', `shot ${i}-last-frame.png`, 'image'],
		]),
	);
	expect(hints).toEqual([]);
	expect(pictures().map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
});

it('is not loaded for shots that only begin with one', async () => {
	const { items } = await generate([{}, {}], { options: { film: { chainShots: true } } });
	expect(
		items.map(({ json, binary }) => [typeof json.last_frame_url, ...Object.keys(binary!)]),
	).toEqual(Array(2).fill(['string', 'data']));
	expect(pictures()).toEqual([]);
});

it('that cannot be had costs an item nothing but the picture, and a hint says why', async () => {
	const plans: Plan[] = [
		{ lastFrame: 'notFound404' },
		{},
		{ lastFrame: 'html200' },
		{ lastFrame: 'notFound404' },
		{ lastFrame: 'cut' },
		{ lastFrameUrl: 'none' },
	];
	const { items, hints } = await generate(plans);
	expect(items.map(({ binary }) => Object.keys(binary!))).toEqual(
		plans.map((_, i) => (i === 1 ? ['data', 'last_frame'] : ['data'])),
	);
	expect(items.map(({ json }) => json.status)).toEqual(plans.map(() => 'SUCCESS'));
	expect(items.map(({ json }) => typeof json.last_frame_url)).toEqual([
		...Array(5).fill('string'),
		'undefined',
	]);
	const missing = 'The picture of the last frame is missing at';
	expect(hints.sort()).toEqual([
		`${missing} [item 0], [item 3]: its address answers with HTTP 404.`,
		`${missing} [item 2]: there is no image at this address.`,
		// A connection may be cut so soon that its answer is not heard.
		expect.stringMatching(/ \[item 4\]: (the connection was cut|.* not answer)/),
		`${missing} [item 5]: the service gave no address of it.`,
	]);
	expect(stage.sandbox.submissions()).toHaveLength(plans.length);
	expect(films()).toBe(plans.length);
});

it('is not asked of a private network, and takes no place of the film', async () => {
	const refused = await generate([{}], {}, {});
	expect(refused.items[0].json.last_frame_url).toMatch(/^http:\/\/localhost/);
	expect(Object.keys(refused.items[0].binary!)).toEqual(['data']);
	expect(refused.hints[0]).toMatch(/inside a private network\. .*Allow Private Addresses/);
	expect(pictures()).toEqual([]);
	const { items, hints } = await generate([{}], { options: { binaryProperty: 'last_frame' } });
	expect(items[0].binary!.last_frame.mimeType).toBe('video/mp4');
	expect(hints).toHaveLength(1);
});

it('stays an address without Download Video, and Video Status tells it, too', async () => {
	const { items, hints } = await generate([{}, { lastFrameUrl: 'none' }], {
		downloadVideo: false,
	});
	const [{ json, binary }] = items;
	expect(binary).toBeUndefined();
	expect([hints, pictures()]).toEqual([[], []]);

	const looked = await stage.run(videoStatus(), toInput(json));
	expect(looked.outputs()[0][0].json.last_frame_url).toBe(json.last_frame_url);
});
