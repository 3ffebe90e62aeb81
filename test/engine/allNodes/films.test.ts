import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	PACKAGE,
	plannedRows,
	to,
	useStage,
	videoDownload,
	videoGenerate,
} from '../../support/stage';

// From prompts to a film: a shot that is missing is missed.

const stage = useStage();

/** Three rows, of which the second fails and leaves by the error output, through all nodes to a film. */
async function toFilm(parameters: IDataObject) {
	const { downloadVideo = true } = parameters;
	const node = videoGenerate({ ...parameters, downloadVideo }, { onError: 'continueErrorOutput' });
	const join = { type: `${PACKAGE}.videoJoin`, name: 'Join' };
	const download = { ...videoDownload(), name: 'Download' };
	return await stage.engine.run({
		nodes: [
			{ name: 'Click', type: 'n8n-nodes-base.manualTrigger' },
			{ ...node, name: 'Video' },
			{ name: 'Failed', type: 'n8n-nodes-base.noOp' },
			...(downloadVideo ? [join] : [download, join]),
		],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [to(downloadVideo ? 'Join' : 'Download'), to('Failed')] },
			...(!downloadVideo && { Download: { main: [to('Join')] } }),
		},
		items: plannedRows({}, { submit: 'forbidden' }, {}),
		credentials: stage.credentials,
		resultNode: 'Join',
	});
}

const CHAINED = {
	model: byId('doubao-seedance-1-5-pro-251215'),
	options: { lastFrame: { chainShots: true } },
};

describe.each([true, false])('Download Video: %s', (downloadVideo) => {
	it('a film of chained shots is not made of its first shot alone', async () => {
		const { error } = await toFilm({ ...CHAINED, downloadVideo });
		expect(error?.message).toBe('The film lacks shots 2, 3 of 3 [item 0]');
	});

	it('a film of other clips says that one left by an error output', async () => {
		const result = await toFilm({ downloadVideo });
		expect(result.outputs()[0][0].json.clips).toHaveLength(2);
		const hints = result.hints().map(({ message }) => message);
		expect(hints).toContain(
			'1 item left the nodes before this one by an error output, so a film may lack a clip.',
		);
	});
});
