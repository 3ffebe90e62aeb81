import type { Sandbox } from '../../../../sandbox/service';
import { arrives, failsWith } from '../row';

const CUT = { cutAfterBytes: 100_000 };
const ETAG = '"v1"';
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
/** More than sockets hold: an answer that is not read to its end shows. */
const sizeBytes = 30_000_000;
/** A file that is begun anew: n8n 1 keeps what it had of it. */
const anew = { halvesOnVersion1: 1 };

const otherVideo = ({ foreignUrl }: Sandbox) => ({
	redirect: 302 as const,
	to: `${foreignUrl}/files/portrait.mp4`,
});

/** A body that ended early is fetched again: its rest, where the server gives parts. */
export const resumes = [
	arrives('by a server that gives parts', { content: CUT }, ['all cut', 'rest 206']),
	arrives('on condition of a strong ETag', { etag: ETAG, content: CUT }, [
		'all cut',
		`rest if ${ETAG} 206`,
	]),
	arrives('on condition of a date', { lastModified: DATE, content: CUT }, [
		'all cut',
		`rest if ${DATE} 206`,
	]),
	arrives('without a condition where the ETag is weak', { etag: 'W/"v1"', content: CUT }, [
		'all cut',
		'rest 206',
	]),
	arrives(
		'by a server that has an ETag and says nothing of parts',
		{ etag: ETAG, content: { ...CUT, headers: { 'accept-ranges': '' } } },
		['all cut', `rest if ${ETAG} 206`],
	),
	arrives('cut again and again', { content: [CUT, CUT, { cutAfterBytes: 5 }, CUT] }, [
		...['all cut', 'rest cut', 'rest cut', 'rest cut', 'rest 206'],
	]),
	arrives('cut within its first box', { content: [{ cutAfterBytes: 5 }, { cutAfterBytes: 11 }] }, [
		...['all cut', 'all cut', 'rest 206'],
	]),
	arrives('without a length', { content: { ...CUT, noLength: true } }, ['all cut', 'rest 206']),
	arrives('after a page in between', { content: [CUT, 'html502', 'html200'] }, [
		...['all cut', 'rest 502', 'rest 200', 'rest 206'],
	]),
	arrives(
		'cut more often than it is tried again, because each try brings something',
		{ content: { always: { cutAfterBytes: 240_000 } } },
		['all cut', 'rest cut', 'rest 206'],
		{ options: { retries: 1 } },
	),
	failsWith(
		/the download ended early/,
		'cut every time, with next to nothing new',
		{ content: { always: { cutAfterBytes: 1000 } } },
		['all cut', 'rest cut', 'rest cut'],
		{
			options: { retries: 2 },
			fields: { retryable: true, description: expect.stringMatching(/cut after \d+ bytes/) },
			halvesOnVersion1: 1,
		},
	),
];

/** Where the rest cannot be had, the file is begun anew. */
export const beginnings = [
	arrives(
		'by a server that says it gives no parts',
		{ etag: ETAG, content: { ...CUT, headers: { 'accept-ranges': 'none' } } },
		['all cut', 'all 200'],
		anew,
	),
	arrives(
		'by a server that knows no parts, and cuts three times',
		{ range: false, content: [CUT, { cutAfterBytes: 1000 }, { cutAfterBytes: 400_000 }] },
		['all cut', 'all cut', 'all cut', 'all 200'],
		{ halvesOnVersion1: 3 },
	),
	arrives(
		'because the whole came, though a part was asked for',
		{ sizeBytes, content: [CUT, 'rangeIgnored'] },
		['all cut', 'rest 200, left', 'all 200'],
		anew,
	),
	arrives(
		'because the ETag is another one by now',
		{ sizeBytes, etag: ETAG, content: { ...CUT, headers: { etag: '"v0"' } } },
		['all cut', 'rest if "v0" 200, left', 'all 200'],
		anew,
	),
	arrives(
		'because the part was refused',
		{ content: [CUT, 'rangeRefused'] },
		['all cut', 'rest 416', 'all 200'],
		anew,
	),
	arrives(
		'because another part came',
		{ sizeBytes, content: [CUT, 'rangeElsewhere'] },
		['all cut', 'rest 206, left', 'all 200'],
		anew,
	),
	arrives(
		'because a part of another file came',
		{ sizeBytes, etag: ETAG, content: [CUT, 'rangeOtherTag'] },
		['all cut', `rest if ${ETAG} 206, left`, 'all 200'],
		anew,
	),
	arrives(
		'because the address led to another video in between',
		(sandbox) => ({ content: [CUT, otherVideo(sandbox)] }),
		['all cut', 'rest 302', 'all 200'],
		anew,
	),
	arrives(
		'from result_url, once the content endpoint has cut it every time',
		{ range: false, resultUrl: 'foreign', content: [CUT, CUT] },
		['all cut', 'all cut', 'all 200'],
		{ options: { retries: 1 }, halvesOnVersion1: 2 },
	),
	failsWith(
		/the download ended early/,
		'and is cut every time',
		{ range: false, content: { always: CUT } },
		['all cut', 'all cut', 'all cut'],
		{
			options: { retries: 2 },
			fields: { retryable: true, description: expect.stringMatching(/cut after \d+ bytes/) },
			halvesOnVersion1: 3,
		},
	),
];
