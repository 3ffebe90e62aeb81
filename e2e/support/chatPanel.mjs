const TALLER_BY_PX = 200;
const STEPS = 8;

/** The chat below the canvas, made tall enough to show a few turns: `{ ask, hears, messages }`. */
export async function openChatPanel(page) {
	await page.getByTestId('workflow-chat-button').click();
	const panel = page.getByTestId('canvas-chat');
	await panel.waitFor();
	const { x, y } = await panel.boundingBox();
	await page.mouse.move(x + 150, y - 1);
	await page.mouse.down();
	await page.mouse.move(x + 150, y - TALLER_BY_PX, { steps: STEPS });
	await page.mouse.up();
	// Away from everything that shows more under the mouse.
	await page.mouse.move(x + 40, y - TALLER_BY_PX - 100);

	async function ask(text) {
		const input = panel.getByPlaceholder(/^Type message/);
		await input.fill(text);
		await input.press('Enter');
	}
	/** Waits until the last answer holds exactly these words. */
	const hears = async (words) =>
		await panel
			.locator('.chat-message-from-bot .chat-message-markdown')
			.getByText(words, { exact: true })
			.waitFor();
	const messages = panel.locator('.chat-message-from-bot');
	return { ask, hears, messages };
}
