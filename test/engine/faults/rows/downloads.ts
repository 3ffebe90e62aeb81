import type { Entries } from '../../../../sandbox/service';
import { failing, row, type FaultRow } from '../row';

const parameters = { downloadVideo: true };
const notDownloaded = failing(/^The video could not be downloaded: .* \[item 0\]$/, {
	status: 'SUCCESS',
	description: expect.stringMatching(/download it later with Video Download/),
});

const passing = (what: string, plan: FaultRow['plans'][0]) =>
	row(`download: ${what}, then ok`, { renderMs: 0, ...plan }, 'SUCCESS', { parameters, hurry: 50 });
const lasting = (what: string, content: Entries) =>
	row(`download: ${what} always`, { renderMs: 0, content }, notDownloaded, {
		parameters,
		hurry: 200,
	});

export const downloads: FaultRow[] = [
	passing('not completed yet', { notCompletedMs: 50 }),
	passing('cut', { content: ['cutAfter', 'cutAfter'] }),
	passing('cut, and nothing tells', { content: 'silentCut' }),
	passing('a page of a proxy', { content: ['html502', 'html200'] }),
	passing('a reset connection', { content: 'reset' }),
	passing('a localhost result_url', { resultUrl: 'localhost' }),
	lasting('404', { always: 'notFound404' }),
	lasting('upstream gone', { always: 'upstreamGone502' }),
	lasting('a page instead', { always: 'html200' }),
	lasting('401', { always: 'unauthorized' }),
];
