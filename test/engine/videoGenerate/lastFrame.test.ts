import { byId, plannedRows, useStage, videoGenerate, videoStatus } from '../../support/stage';

const stage = useStage();

it('the last frame of a video is an address, which Video Status tells, too', async () => {
	const node = videoGenerate({
		model: byId('doubao-seedance-1-5-pro-251215'),
		...{ downloadVideo: true, options: { film: { returnLastFrame: true } } },
	});
	const [items] = (await stage.run(node, plannedRows({}, { lastFrameUrl: 'none' }))).outputs();
	expect(items.map(({ json }) => json.last_frame_url)).toEqual([
		expect.stringMatching(/\/files\/landscape\.png\?task=/),
		undefined,
	]);
	expect(items.map(({ binary }) => Object.keys(binary!))).toEqual([['data'], ['data']]);
	const [[looked]] = (await stage.run(videoStatus(), items.slice(0, 1))).outputs();
	expect(looked.json.last_frame_url).toMatch(/\/files\/landscape\.png\?task=/);
});
