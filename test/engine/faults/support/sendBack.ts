import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { hurry, until } from '../../../support/clock';
import { type Stage, to, videoGenerate } from '../../../support/stage';

export const CLICK = { name: 'Click', type: 'n8n-nodes-base.manualTrigger' };
export const END = { name: 'End', type: 'n8n-nodes-base.noOp' };
export const toVideo = (parameters: IDataObject = {}, name = 'Video') => ({
	...videoGenerate(parameters, { onError: 'continueErrorOutput' }),
	name,
});

/**
 * Sends failing items back to Video Generate, by way of a node that counts the passes; a loop without an
 * end is stopped.
 *
 * @param edited what their prompt becomes on the way
 */
export async function sendBack(
	{ engine, credentials }: Stage,
	items: INodeExecutionData[],
	parameters: IDataObject = {},
	edited = '={{ $json.prompt }}',
) {
	const haste = hurry(1_000);
	const count = { type: 'n8n-nodes-base.set', parameters: { prompt: edited } };
	const execution = engine.start({
		nodes: [CLICK, toVideo(parameters), END, { name: 'Count', ...count }],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [to('End'), to('Count')] },
			Count: { main: [to('Video')] },
		},
		items,
		credentials,
	});
	let isOver = false;
	void execution.done.then(() => (isOver = true));
	// Each time that it comes back it is held a moment, so that n8n has one to stop the loop.
	const holds = () => haste.delaysMs.filter((ms) => ms === 1_000).length;
	await until(() => isOver || holds() >= 4);
	await execution.stop();
	haste.restore();
	return await execution.done;
}
