const PARTS = '.vue-flow__node';
/** Room for the names below the nodes, and for the plus sign behind the last one. */
const AROUND = { left: 48, right: 96, top: 24, bottom: 88 };

/** All nodes and notes of an open workflow at 100 %, as a part of the page that has a screenshot. */
export async function openWholeCanvas(page) {
	await page.keyboard.press('1');
	await page.keyboard.press('0');
	await page.waitForFunction(() => {
		const { transform } = document.querySelector('.vue-flow__transformationpane').style;
		return transform.endsWith('scale(1)');
	});
	const boxes = await Promise.all(
		(await page.locator(PARTS).all()).map((one) => one.boundingBox()),
	);
	const clip = around(boxes);
	return { screenshot: async (options) => await page.screenshot({ ...options, clip }) };
}

function around(boxes) {
	const left = Math.min(...boxes.map(({ x }) => x)) - AROUND.left;
	const top = Math.min(...boxes.map(({ y }) => y)) - AROUND.top;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + AROUND.right;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + AROUND.bottom;
	return { x: left, y: top, width: right - left, height: bottom - top };
}
