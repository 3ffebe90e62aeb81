import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { DurableStep } from '../../shared/durable/workflows';
import { checkBatch } from './checkBatch';
import { launchChecker } from './launchChecker';
import { returnVideos } from './returnVideos';
import { submitChunk } from './submitChunk';

type Action = (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

const STEPS: Record<DurableStep, Action> = {
	check: checkBatch,
	launch: launchChecker,
	return: returnVideos,
	submit: submitChunk,
};

/** What this node does inside a sub-execution of Durable waiting; nothing of it anywhere else. */
export function durableStepOf(context: IExecuteFunctions): Action | undefined {
	const name = context.getNodeParameter('durableStep', 0, '') as string;
	return Object.hasOwn(STEPS, name) ? STEPS[name as DurableStep] : undefined;
}
