/** What a person does and sees in the panel of a node that is open. */
export function createOpenedNode(page) {
	const field = (name) => page.getByTestId(`parameter-input-${name}`);
	const output = page.getByTestId('output-panel');

	/** Searches the list of models and takes the one of this name. */
	async function chooseModel(words, name) {
		await page.getByTestId('rlc-input').first().click();
		await page.getByTestId('rlc-search').fill(words);
		await page.getByTestId('rlc-item').getByText(name, { exact: true }).click();
	}

	const options = page.locator('.el-select-dropdown:visible');
	const openList = async (name) => await field(name).locator('input').first().click();

	/** Opens a list, and returns what it offers; `whileOpen` is done before it closes. */
	async function choicesOf(name, whileOpen) {
		await openList(name);
		await options.locator('[class*="option-headline"]').first().waitFor();
		const texts = await options.locator('[class*="option-headline"]').allInnerTexts();
		await whileOpen?.();
		await openList(name);
		await options.waitFor({ state: 'hidden' });
		return texts.map((text) => text.trim());
	}

	async function choose(name, choice) {
		await openList(name);
		await options.getByText(choice, { exact: true }).click();
		await options.waitFor({ state: 'hidden' });
	}

	/** Waits until a field shows this choice, as after a change of the model. */
	const showsChoice = async (name, choice) =>
		await page.waitForFunction(
			([id, text]) => document.querySelector(`[data-test-id="${id}"] input`)?.value === text,
			[`parameter-input-${name}`, choice],
		);

	const write = async (name, text) => await field(name).locator('textarea').fill(text);
	const execute = async () => await page.getByTestId('node-execute-button').click();

	/** Waits for these words on the output's side: an item, a hint. */
	const shows = async (words) => await output.getByText(words).first().waitFor();

	/** Waits for the error view; gives its two texts. */
	async function failure() {
		const text = async (id) => await page.getByTestId(id).first().innerText();
		return {
			message: await text('node-error-message'),
			description: await text('node-error-description'),
		};
	}

	/** Opens the file of the output in n8n's own player and waits until it has played so far. */
	async function playVideo(seconds = 0.5) {
		await output.getByTestId('ndv-view-binary-data').first().click();
		const video = page.locator('video');
		await video.waitFor();
		return await video.evaluate(async (player, until) => {
			const moves = () => player.currentTime > until && player.videoWidth > 0;
			while (!moves())
				await new Promise((resolve) =>
					player.addEventListener('timeupdate', resolve, { once: true }),
				);
			return { width: player.videoWidth, height: player.videoHeight, seconds: player.duration };
		}, seconds);
	}

	return {
		output,
		chooseModel,
		choicesOf,
		choose,
		showsChoice,
		write,
		execute,
		shows,
		failure,
		playVideo,
	};
}
