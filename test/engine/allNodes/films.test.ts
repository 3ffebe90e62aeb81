import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

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
import type { EngineNode } from '../../support/engine';

// From prompts to a film.

const stage = useStage();

const CLICK = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
const JOIN = { type: `${PACKAGE}.videoJoin`, name: 'Join' };
const DOWNLOAD = { ...videoDownload(), name: 'Download' };
const CHAINED = {
	model: byId('doubao-seedance-1-5-pro-251215'),
	options: { film: { chainShots: true } },
};
const toVideo = (parameters: IDataObject) => ({
	...videoGenerate(parameters, { onError: 'continueErrorOutput' }),
	name: 'Video',
});

type Shape = Pick<ReturnType<typeof inARow>, 'nodes' | 'connections'>;
const film = async (items: INodeExecutionData[], workflow: Shape) =>
	await stage.engine.run({
		...{ ...workflow, items, credentials: stage.credentials },
		resultNode: 'Join',
	});

it.each([true, false])(
	'a film of chained shots is not made of its first shot alone (Download Video: %s)',
	async (downloadVideo) => {
		const nodes: EngineNode[] = [toVideo({ ...CHAINED, downloadVideo })];
		if (!downloadVideo) nodes.push(DOWNLOAD);
		const items = plannedRows({}, { submit: 'forbidden' }, {});
		const { error } = await film(items, inARow(CLICK, ...nodes, JOIN));
		expect(error?.message).toBe('The film lacks shots 2, 3 of 3 [item 0]');
	},
);

it('the films of several passes of a loop are one film', async () => {
	const video = videoGenerate({ ...CHAINED, downloadVideo: true });
	const { nodes, connections } = inLoop(video, 2);
	const toJoin = { ...connections, End: { main: [to('Join')] } };
	const result = await film(plannedRows({}, {}, {}, {}), {
		nodes: [...nodes, JOIN],
		connections: toJoin,
	});
	expect(result.outputs()[0][0].json.clips).toHaveLength(4);
});
