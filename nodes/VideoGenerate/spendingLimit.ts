import { NodeOperationError } from 'n8n-workflow';

import type { Run } from '../shared/item/run';
import type { Ledger } from '../shared/task/ledger';
import type { VideoJob } from './readJob';

/**
 * Refuses all jobs where they are more than Max Videos per Run. Called before anything is sent: what
 * is submitted cannot be taken back. A dry run is refused like the run that it is to foretell.
 */
export function keepToLimit(
	{ context, forAgent }: Run,
	jobs: VideoJob[],
	ledger: Pick<Ledger, 'count'>,
): void {
	const max = Math.min(...jobs.map(({ maxVideos }) => maxVideos ?? Infinity));
	if (max === Infinity) return;
	const real = jobs.filter(({ dryRun }) => !dryRun);
	const { wanted, before } = ledger.count(real.length > 0 ? real : jobs);
	if (wanted === 0 || before + wanted <= max) return;
	const message = forAgent
		? `This execution may submit ${toVideos(max)} (Max Videos per Run), and ${before} of them ${before === 1 ? 'is' : 'are'} submitted already`
		: `This run would submit ${wanted} videos, and Max Videos per Run is ${max}`;
	const description = forAgent
		? 'Nothing was submitted. Do not ask for further videos; tell the person that the limit is reached.'
		: 'Nothing was submitted. Send fewer items, or raise Max Videos per Run.';
	throw new NodeOperationError(context.getNode(), message, { description });
}

const toVideos = (count: number) => `${count} ${count === 1 ? 'video' : 'videos'}`;
