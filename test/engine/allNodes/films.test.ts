import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	byId,
	inARow,
	inLoop,
	type Mode,
	PACKAGE,
	plannedRows,
	to,
	useStage,
	videoDownload,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import type { EngineNode, RunResult } from '../../support/engine';

// From prompts to a film: a shot that is missing is missed.

const stage = useStage();

const CLICK = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
const JOIN = { type: `${PACKAGE}.videoJoin`, name: 'Join' };
const STATUS = { ...videoStatus(), name: 'Status' };
const DOWNLOAD = { ...videoDownload(), name: 'Download' };
const FILTER = { type: 'n8n-nodes-base.filter', name: 'Filter' };
const toVideo = (parameters: IDataObject, onError: Mode = 'continueErrorOutput') => ({
	...videoGenerate(parameters, { onError }),
	name: 'Video',
});

const film = async (items: INodeExecutionData[], workflow: Shape) =>
	await stage.engine.run({
		...{ ...workflow, items, credentials: stage.credentials },
		resultNode: 'Join',
	});
type Shape = Pick<ReturnType<typeof inARow>, 'nodes' | 'connections'>;
/** Three rows, of which the second fails, through these nodes to a film. */
const filmOf = async (...nodes: EngineNode[]) =>
	await film(plannedRows({}, { submit: 'forbidden' }, {}), inARow(CLICK, ...nodes, JOIN));

/** One clip is missing, and the node says so. */
function expectHint(result: RunResult, clips: number) {
	expect(result.outputs()[0][0].json.clips).toHaveLength(clips);
	const hints = result.hints().map(({ message }) => message);
	expect(hints).toEqual(['1 item failed before this node, so a film may lack a clip.']);
}

const CHAINED = {
	model: byId('doubao-seedance-1-5-pro-251215'),
	options: { film: { chainShots: true } },
};

describe.each([true, false])('Download Video: %s', (downloadVideo) => {
	const toFilm = async (parameters: IDataObject = {}) =>
		await filmOf(toVideo({ ...parameters, downloadVideo }), ...(downloadVideo ? [] : [DOWNLOAD]));

	it('a film of chained shots is not made of its first shot alone', async () => {
		const { error } = await toFilm(CHAINED);
		expect(error?.message).toBe('The film lacks shots 2, 3 of 3 [item 0]');
	});

	it('a film of other clips says that one left by an error output', async () => {
		expectHint(await toFilm(), 2);
	});
});

it('a film says that a clip failed which a filter has left out', async () => {
	const video = toVideo({ downloadVideo: true }, 'continueRegularOutput');
	expectHint(await filmOf(video, FILTER), 2);
});

it('a film says that Video Status has sent a task to Failed', async () => {
	const items = plannedRows({ renderMs: 0 }, { renderMs: 0, outcome: 'FAILURE' }, { renderMs: 0 });
	const video = toVideo({ wait: 'none' }, 'stopWorkflow');
	expectHint(await film(items, inARow(CLICK, video, STATUS, DOWNLOAD, JOIN)), 2);
});

it('a film says that a video is not ready yet', async () => {
	const video = toVideo({ wait: 'none' });
	const items = plannedRows({ renderMs: 0 }, { renderMs: 60_000 });
	const result = await film(items, inARow(CLICK, video, STATUS, DOWNLOAD, JOIN));
	expect(result.hints().map(({ message }) => message)).toEqual([
		'1 video is not ready yet, so a film may lack a clip.',
	]);
});

it('films of a loop that waits for the videos say that they are in pieces', async () => {
	const result = await film(plannedRows({ renderMs: 0 }, { renderMs: 500 }), {
		nodes: [CLICK, toVideo({ wait: 'none' }), STATUS, DOWNLOAD, JOIN],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [to('Status')] },
			Status: { main: [to('Download'), to('Status')] },
			Download: { main: [to('Join')] },
		},
	});
	expect(result.runs('Join').map(({ data }) => data!.main[0]!.length)).toEqual([1, 1]);
	expect(result.hints().map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^This node has run before in this execution, so a film may be in pieces\./,
		),
	]);
});

/** Loop Over Items, two at a time, around Video Generate, and the film after it. */
async function loopToFilm(parameters: IDataObject, items: INodeExecutionData[]) {
	const { nodes, connections } = inLoop(
		videoGenerate({ ...parameters, downloadVideo: true }, { onError: 'continueErrorOutput' }),
		2,
	);
	const toJoin = { ...connections, End: { main: [to('Join')] } };
	return await film(items, { nodes: [...nodes, JOIN], connections: toJoin });
}

it('a film says that a clip failed in an earlier pass of a loop', async () => {
	expectHint(await loopToFilm({}, plannedRows({}, { submit: 'forbidden' }, {}, {})), 3);
});

it('the films of several passes of a loop are one film', async () => {
	const result = await loopToFilm(CHAINED, plannedRows({}, {}, {}, {}));
	expect(result.outputs()[0][0].json.clips).toHaveLength(4);
});
