const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const INTERRUPTED = 130;

/**
 * Ends what was started, in reverse order, once: at Ctrl+C or when the demo is over. Exit code 0
 * if the demo was up when it was told to stop, 130 if it was still on its way.
 */
export function onStop(report) {
	const steps = [];
	let up = false;
	let stopping = null;

	async function cleanUpAll() {
		for (const step of steps.splice(0).reverse()) await step();
	}
	async function stopNow() {
		report.line('\nStopping ...');
		await cleanUpAll();
		report.line('Stopped.');
		process.exit(up ? 0 : INTERRUPTED);
	}
	for (const signal of SIGNALS) {
		// npm passes a Ctrl+C on that the terminal has already sent: the second one changes nothing.
		process.on(signal, () => (stopping ??= stopNow()));
	}
	return {
		cleanUp: (step) => steps.push(step),
		cleanUpAll,
		isUp: () => (up = true),
		isStopping: () => stopping !== null,
	};
}
