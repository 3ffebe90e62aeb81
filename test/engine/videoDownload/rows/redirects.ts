import { arrives, failsWith } from '../row';

const to = (address: string) => ({ content: { redirect: 302 as const, to: address } });
const noAddress = /leads to no http or https address/;

/** Where the key goes on these ways stands in keys.test.ts. */
export const redirects = [
	arrives('within the service', to('self'), ['all 302', 'all 200']),
	arrives('to a storage host', to('foreign'), ['all 302', 'all 200']),
	arrives('over five steps', { content: { redirect: 307, to: 'foreign', hops: 5 } }, [
		...['all 307', 'all 307', 'all 307', 'all 307', 'all 307', 'all 200'],
	]),
	failsWith(
		/redirects more than 5 times/,
		'over six steps',
		{ content: { redirect: 307, to: 'foreign', hops: 6 } },
		['all 307', 'all 307', 'all 307', 'all 307', 'all 307', 'all 307'],
	),
	failsWith(/redirects more than 5 times/, 'in a circle', { content: 'redirectLoop' }, [
		...['all 302', 'all 302', 'all 302', 'all 302', 'all 302', 'all 302'],
	]),
	failsWith(noAddress, 'to ftp', to('ftp://files.test/a.mp4'), ['all 302']),
	failsWith(noAddress, 'to a file', to('file:///etc/passwd'), ['all 302']),
	failsWith(noAddress, 'to data', to('data:video/mp4;base64,AAAA'), ['all 302']),
	failsWith(noAddress, 'to nowhere', to('http://'), ['all 302']),
	failsWith(
		/redirects to another address/,
		'without a word where to',
		{ content: { status: 302 } },
		['all 302'],
	),
];
