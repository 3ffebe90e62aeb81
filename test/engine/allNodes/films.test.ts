import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	byId,
	inLoop,
	PACKAGE,
	plannedRows,
	to,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import type { RunRequest } from '../../support/engine';

// From prompts to a film: a shot that is missing is missed.

const stage = useStage();
const LACKS_ONE = '1 item failed before this node, so a film may lack a clip.';

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
	options: { film: { chainShots: true } },
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
		expect(hints).toContain(LACKS_ONE);
	});
});

/** A workflow of a node whose videos go to `Join`, through a loop or a filter. */
const JOIN = { type: `${PACKAGE}.videoJoin`, name: 'Join' };
const CLICK = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
const films = async (workflow: Omit<RunRequest, 'credentials' | 'resultNode'>) =>
	await stage.engine.run({ ...workflow, credentials: stage.credentials, resultNode: 'Join' });

it('a film says that a clip failed which a filter has left out', async () => {
	const node = videoGenerate({ downloadVideo: true }, { onError: 'continueRegularOutput' });
	const result = await films({
		nodes: [
			CLICK,
			{ ...node, name: 'Video' },
			{ type: 'n8n-nodes-base.filter', name: 'Filter' },
			JOIN,
		],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [to('Filter')] },
			Filter: { main: [to('Join')] },
		},
		items: plannedRows({}, { submit: 'forbidden' }, {}),
	});
	expect(result.outputs()[0][0].json.clips).toHaveLength(2);
	expect(result.hints().map(({ message }) => message)).toEqual([LACKS_ONE]);
});

it('a film says that Video Status has sent a task to Failed', async () => {
	const result = await films({
		nodes: [
			CLICK,
			{ ...videoGenerate({ wait: 'none' }), name: 'Video' },
			{ ...videoStatus(), name: 'Status' },
			{ ...videoDownload(), name: 'Download' },
			JOIN,
		],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [to('Status')] },
			Status: { main: [to('Download')] },
			Download: { main: [to('Join')] },
		},
		items: plannedRows({ renderMs: 0 }, { renderMs: 0, outcome: 'FAILURE' }, { renderMs: 0 }),
	});
	expect(result.outputs()[0][0].json.clips).toHaveLength(2);
	expect(result.hints().map(({ message }) => message)).toEqual([LACKS_ONE]);
});

/** Loop Over Items, two at a time, around Video Generate, and the film after it. */
async function loopToFilm(parameters: IDataObject, items: INodeExecutionData[]) {
	const { nodes, connections } = inLoop(
		videoGenerate({ ...parameters, downloadVideo: true }, { onError: 'continueErrorOutput' }),
		2,
	);
	return await films({
		nodes: [...nodes, JOIN],
		connections: { ...connections, End: { main: [to('Join')] } },
		items,
	});
}

it('a film says that a clip failed in an earlier pass of a loop', async () => {
	const items = plannedRows({}, { submit: 'forbidden' }, {}, {});
	const result = await loopToFilm({}, items);
	expect(result.outputs()[0][0].json.clips).toHaveLength(3);
	expect(result.hints().map(({ message }) => message)).toEqual([LACKS_ONE]);
});

it('each pass of a loop has a film of its own', async () => {
	const result = await loopToFilm(CHAINED, plannedRows({}, {}, {}, {}));
	expect(result.outputs()[0][0].json.clips).toHaveLength(4);
	const films = result.runs('Node').map(({ data }) => {
		const [shots] = data!.main as INodeExecutionData[][];
		return new Set(shots.map(({ json }) => json.shot_film));
	});
	expect(films.map(({ size }) => size)).toEqual([1, 1]);
	expect(new Set(films.flatMap((film) => [...film])).size).toBe(2);
});
