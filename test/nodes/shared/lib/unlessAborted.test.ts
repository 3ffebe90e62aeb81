import { unlessAborted } from '../../../../nodes/shared/lib/time';

const never = new Promise<never>(() => {});

describe('unlessAborted', () => {
	it.each([5, undefined])('gives what comes: %p', async (value) => {
		const { signal } = new AbortController();
		await expect(unlessAborted(Promise.resolve(value), signal)).resolves.toEqual({ value });
	});

	it('hands on what is thrown', async () => {
		const { signal } = new AbortController();
		await expect(unlessAborted(Promise.reject(new Error('No')), signal)).rejects.toThrow('No');
	});

	it('waits no longer than the signal lets it', async () => {
		const end = new AbortController();
		const waiting = unlessAborted(never, end.signal);
		end.abort();
		await expect(waiting).resolves.toBeUndefined();
		await expect(unlessAborted(never, end.signal)).resolves.toBeUndefined();
	});

	it('leaves no listener behind', async () => {
		const { signal } = new AbortController();
		const removed = jest.spyOn(signal, 'removeEventListener');
		await unlessAborted(Promise.resolve(1), signal);
		expect(removed).toHaveBeenCalledTimes(1);
	});
});
