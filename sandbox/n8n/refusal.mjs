/** Something the person can put right: its sentence is printed alone, without a stack. */
export class Refusal extends Error {}

/** Prints what went wrong the way a person can use it, and returns the exit code. */
export function printFailure(error, stream = process.stderr) {
	const text = error instanceof Refusal ? error.message : (error?.stack ?? String(error));
	stream.write(`\n${text}\n`);
	return 1;
}
