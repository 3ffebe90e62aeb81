/** The dialog in which a person makes or mends a credential: `{ openFromNode, fill, save, saysNo, ... }`. */
export function createCredentialDialog(page) {
	const dialog = page.getByTestId('editCredential-modal');
	const input = (name) => dialog.getByTestId(`parameter-input-${name}`).locator('input');

	/** From the panel of a node that has no credential yet; `name` is the type's, without "API". */
	async function openFromNode(name) {
		await page.getByRole('button', { name: `Connect to ${name}` }).click();
		// n8n asks its server for a name, and saves nothing without one.
		await dialog.getByTestId('credential-name').waitFor();
	}

	/** By the names of fields. */
	async function fill(texts) {
		for (const [name, text] of Object.entries(texts)) await input(name).fill(text);
	}

	/** The names of the fields that are shown; a star follows those that are required. */
	const labels = async () =>
		(await dialog.locator('label').allInnerTexts()).map((text) => text.trim().split('\n')[0]);

	async function chooseService(name) {
		await input('api').click();
		const options = page.locator('.el-select-dropdown:visible');
		await options.locator('[class*="option-headline"]').getByText(name, { exact: true }).click();
		await options.waitFor({ state: 'hidden' });
	}

	const turnOn = async (name) =>
		await dialog.getByTestId(`parameter-input-${name}`).locator('.el-switch').click();

	/**
	 * Saves, and waits for n8n's test of what was saved: it forgets what is typed before it is done. After
	 * a "yes" n8n closes the dialog that a node has opened.
	 */
	async function save() {
		const tested = page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
		await dialog.getByTestId('credential-save-button').click();
		await tested;
		await page.waitForLoadState('networkidle');
	}

	/** Waits for a "no" whose details hold these words. */
	async function saysNo(words) {
		const more = dialog.getByText('More details');
		const reason = dialog.getByText(words);
		// Details that were opened once stay open.
		await more.or(reason).first().waitFor();
		if (await more.isVisible()) await more.click();
		await reason.waitFor();
	}

	const closed = async () => await dialog.waitFor({ state: 'hidden' });

	return { dialog, openFromNode, labels, chooseService, turnOn, fill, save, saysNo, closed };
}
