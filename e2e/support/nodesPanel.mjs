/** The nodes panel of the editor: what it finds for a word, and adding a node from it. */
export function createNodesPanel(page) {
	const search = page.getByTestId('node-creator-search-bar');
	const names = page.getByTestId('node-creator-item-name');
	const named = (name) => names.getByText(name, { exact: true }).first();

	/**
	 * Puts n8n's manual trigger on an empty canvas. It is not searched for: opened before n8n's list
	 * of nodes is there, the panel searches in none for good. The event is dispatched, because on a
	 * busy machine the panel still slides while a pointer would click.
	 */
	async function addTrigger() {
		await page.getByTestId('canvas-add-button').click();
		await named('Trigger manually').dispatchEvent('click');
		await page
			.getByTestId('canvas-trigger-node')
			.or(page.getByTestId('canvas-node'))
			.first()
			.waitFor();
	}

	/** Behind the node that was added last. */
	async function open() {
		await page.getByTestId('canvas-handle-plus').last().click();
		await search.waitFor();
	}

	/** Types the words and waits until the node of that name is offered for them. */
	async function find(words, name) {
		// What an earlier search gave must not pass for an answer.
		await search.fill('');
		await named(name).waitFor({ state: 'detached' });
		await search.fill(words);
		await named(name).waitFor();
		return await names.allInnerTexts();
	}

	/** Adds a node of this package; n8n shows a page about it first. */
	async function add(words, name) {
		await find(words, name);
		await named(name).click();
		await page.getByRole('button', { name: 'Add to workflow' }).click();
		await page.getByTestId('node-parameters').first().waitFor();
	}

	return { addTrigger, open, find, add };
}
