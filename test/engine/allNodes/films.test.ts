import type { INodeExecutionData } from 'n8n-workflow';

import {
	byId,
	inARow,
	inLoop,
	PACKAGE,
	plannedRows,
	to,
	useStage,
	videoDownload,
	videoGenerate,
} from '../../support/stage';

// From prompts to a film.

const stage = useStage();

const CLICK = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
const JOIN = { type: `${PACKAGE}.videoJoin`, name: 'Join' };
const CHAINED = {
	model: byId('doubao-seedance-1-5-pro-251215'),
	options: { film: { chainShots: true } },
};

type Shape = Pick<ReturnType<typeof inARow>, 'nodes' | 'connections'>;
const film = async (items: INodeExecutionData[], workflow: Shape) => {
	const { credentials, engine } = stage;
	return await engine.run({ ...workflow, items, credentials, resultNode: 'Join' });
};

it('a film of chained shots is not made of its first shot alone', async () => {
	const video = { ...videoGenerate(CHAINED, { onError: 'continueErrorOutput' }), name: 'Video' };
	const download = { ...videoDownload(), name: 'Download' };
	const items = plannedRows({}, { submit: 'forbidden' }, {});
	const { error } = await film(items, inARow(CLICK, video, download, JOIN));
	expect(error?.message).toBe('The film lacks shots 2, 3 of 3 [item 0]');
});

it('the films of several passes of a loop are one film', async () => {
	const { nodes, connections } = inLoop(videoGenerate({ ...CHAINED, downloadVideo: true }), 2);
	const result = await film(plannedRows({}, {}, {}, {}), {
		nodes: [...nodes, JOIN],
		connections: { ...connections, End: { main: [to('Join')] } },
	});
	expect(result.outputs()[0][0].json.clips).toHaveLength(4);
});
