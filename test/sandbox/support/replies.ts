import type { clientOf } from './client';

// What a reply can be, each as a check of it.

export type Reply = Awaited<ReturnType<ReturnType<typeof clientOf>['poll']>>;

/** Where a fault can be asked for. */
export type Place = 'submit' | 'poll' | 'content' | 'text';

/** By the name of a fault: the place where it is at home, and what a client meets there. */
export type Checks = Record<string, [Place, (reply: Reply) => void]>;

export const html = (status: number) => (reply: Reply) => {
	expect(reply.status).toBe(status);
	expect(reply.headers['content-type']).toMatch(/^text\/html/);
	expect(reply.text).toMatch(/^<(html|!doctype html)>/);
};
export const empty = (status: number) => (reply: Reply) => {
	expect([reply.status, reply.text, reply.end]).toEqual([status, '', 'whole']);
};
export const errorShape = (status: number, code: unknown) => (reply: Reply) => {
	expect(reply.status).toBe(status);
	expect(reply.json).toEqual({
		error: { message: expect.stringMatching(/\w/), type: expect.any(String), code },
	});
	expect(reply.headers).not.toHaveProperty('retry-after');
};
export const businessShape = (status: number, code: string) => (reply: Reply) => {
	expect(reply.status).toBe(status);
	expect(reply.json).toEqual({ code, message: expect.stringMatching(/./), data: null });
};
export const panic = (reply: Reply) => {
	const error = { message: expect.stringMatching(/\w/), type: 'new_api_panic' };
	expect([reply.status, reply.json]).toEqual([500, { error }]);
};
export const json = (value: unknown) => (reply: Reply) => {
	expect([reply.status, reply.json]).toEqual([200, value]);
	expect(reply.headers['content-type']).toMatch(/^application\/json/);
};
/** A small answer that is a large one: the ordinary answer, and spaces. */
export const bursts = (encoding: string, unpack: (bytes: Buffer) => Buffer) => (reply: Reply) => {
	ends('whole', 200)(reply);
	expect(reply.headers['content-encoding']).toBe(encoding);
	expect(reply.bytes.length).toBeLessThan(1_000_000);
	const unpacked = unpack(reply.bytes);
	expect(unpacked.length).toBeGreaterThan(200_000_000);
	expect(JSON.parse(unpacked.toString('latin1', 0, 10_000)).code).toBe('success');
};
export const ends = (end: Reply['end'], status?: number) => (reply: Reply) =>
	expect([reply.end, reply.status]).toEqual([end, status]);
