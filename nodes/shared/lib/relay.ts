/**
 * Makes what a work tells piece by piece a list that is read piece by piece; what the work gives in
 * the end is what the generator returns. Whoever stops reading has to end the work.
 *
 * @throws what the work throws, behind the pieces that it has told
 */
export async function* relay<Piece, End>(
	work: (tell: (piece: Piece) => void) => Promise<End>,
): AsyncGenerator<Piece, End> {
	const told: Piece[] = [];
	let isOver = false;
	let wake = () => {};
	const end = work((piece) => {
		told.push(piece);
		wake();
	});
	const finish = () => {
		isOver = true;
		wake();
	};
	void end.then(finish, finish);
	for (;;) {
		while (told.length > 0) yield told.shift() as Piece;
		if (isOver) return await end;
		await new Promise<void>((resolve) => (wake = resolve));
	}
}
