/** Nodes, the names below them, the plus signs behind the last ones, and the lines between them. */
const PARTS = [
	...['.vue-flow__node', '.vue-flow__node [class*=_description_]'],
	...['[data-test-id="canvas-handle-plus"]', '.vue-flow__edge-path'],
].join();
const AROUND_PX = 24;

/** All nodes and notes of an open workflow at 100 %, as a part of the page that has a screenshot. */
export async function openWholeCanvas(page) {
	await page.keyboard.press('1');
	await page.keyboard.press('0');
	await page.waitForFunction(() => {
		const { transform } = document.querySelector('.vue-flow__transformationpane').style;
		return transform.endsWith('scale(1)');
	});
	const clip = await page.evaluate(around, [PARTS, AROUND_PX]);
	return { screenshot: async (options) => await page.screenshot({ ...options, clip }) };
}

/** In the page: what to cut out of it. */
function around([parts, margin]) {
	const boxes = [...document.querySelectorAll(parts)]
		.map((part) => part.getBoundingClientRect())
		.filter(({ width, height }) => width > 0 || height > 0);
	const left = Math.min(...boxes.map((box) => box.left)) - margin;
	const top = Math.min(...boxes.map((box) => box.top)) - margin;
	const right = Math.max(...boxes.map((box) => box.right)) + margin;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}
