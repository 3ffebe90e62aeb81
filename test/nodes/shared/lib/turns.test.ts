import { relay } from '../../../../nodes/shared/lib/turns';

async function readAll<Piece, End>(list: AsyncGenerator<Piece, End>) {
	const read: Piece[] = [];
	let next = await list.next();
	for (; !next.done; next = await list.next()) read.push(next.value);
	return { read, end: next.value };
}

it('gives what was told in order, at once or later, and what the work gave', async () => {
	const list = relay<number, string>(async (tell) => {
		tell(1);
		tell(2);
		await Promise.resolve();
		tell(3);
		return 'over';
	});
	expect(await readAll(list)).toEqual({ read: [1, 2, 3], end: 'over' });
});

it('gives a piece before the work is over', async () => {
	let finish = () => {};
	const list = relay<string, void>(async (tell) => {
		tell('early');
		await new Promise<void>((resolve) => (finish = resolve));
		tell('late');
	});
	expect((await list.next()).value).toBe('early');
	finish();
	expect(await readAll(list)).toEqual({ read: ['late'], end: undefined });
});

it('throws what the work throws, behind what it has told', async () => {
	const list = relay<string, void>(async (tell) => {
		tell('so far');
		throw new Error('broken');
	});
	expect((await list.next()).value).toBe('so far');
	await expect(list.next()).rejects.toThrow('broken');
});
