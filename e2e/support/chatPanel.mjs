const TALLER_BY_PX = 200;
const STEPS = 8;

/** The chat below the canvas, tall enough for some turns: `{ ask, hears, seesLink, messages }`. */
export async function openChatPanel(page, tallerByPx = TALLER_BY_PX) {
	await page.getByTestId('workflow-chat-button').click();
	const panel = page.getByTestId('canvas-chat');
	await panel.waitFor();
	const { x, y } = await panel.boundingBox();
	await page.mouse.move(x + 150, y - 1);
	await page.mouse.down();
	await page.mouse.move(x + 150, y - tallerByPx, { steps: STEPS });
	await page.mouse.up();
	// Away from everything that shows more under the mouse.
	await page.mouse.move(x + 40, Math.max(60, y - tallerByPx - 100));

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
	/** Waits for a link with this text in an answer, and gives its address. */
	async function seesLink(text) {
		const link = messages.getByRole('link', { name: text });
		await link.waitFor();
		return await link.getAttribute('href');
	}
	return { ask, hears, seesLink, messages };
}
