import { createRequire } from 'node:module';

const { PICTURE } = createRequire(import.meta.url)('../service/media');

// What other services answer in the demo: n8n takes these items in the place of running the node, so
// that an example can be executed without an account there.

const items = (...rows) => rows.map((json) => ({ json }));
const file = (data, mimeType, fileName) => ({
	json: {},
	binary: { data: { data: data.toString('base64'), mimeType, fileName } },
});

const MAILED = items({ id: '1993a1', threadId: '1993a1', labelIds: ['SENT'] });
/** One for each of the two files that arrive. */
const STORED = items({ success: true }, { success: true });
const SAID = items({ ok: true, result: { message_id: 42, chat: { id: 7 } } });
const TICKED = [
	'1.1 Rain Jacket: The camera circles around it in soft studio light',
	'2.2 Rubber Boots: It stands on a wooden table in the morning sun',
];
const FEED = `id,title,image_link
1,Rain Jacket,https://example.com/jacket.png
2,Rubber Boots,https://example.com/boots.png
`;

/** By example, by node. */
export const PINNED = {
	'content-pipeline.json': {
		'Upload to Storage': STORED,
		'Mail What Failed': MAILED,
		'Mail That It Stopped': MAILED,
	},
	'form-mails-a-link.json': {
		'When Somebody Asks': items({
			Email: 'somebody@example.com',
			Title: 'Paper Boat',
			'What does the film show?': 'A paper boat sails down a rainy street, seen from above',
			Shape: '9:16',
		}),
		'Mail the Link': MAILED,
		'Mail the Reason': MAILED,
	},
	'photo-in-telegram-to-film.json': {
		'When a Photo Arrives': items({
			update_id: 1,
			message: {
				chat: { id: 7 },
				photo: [{ file_id: 'small' }, { file_id: 'large' }],
				caption: 'The bars begin to dance',
			},
		}),
		'Get Photo': [file(PICTURE, 'image/png', 'photo.png')],
		'Say That It Renders': SAID,
		'Say How Far': SAID,
		'Send Film': SAID,
		'Say Why': SAID,
	},
	'product-feed-to-ads.json': {
		'Get Feed': [file(Buffer.from(FEED), 'text/csv', 'products.csv')],
		'Ask Which to Render': items({ data: { Ads: TICKED } }),
		'Upload to Storage': STORED,
		'Mail What Failed': MAILED,
	},
	'rows-to-vertical-clips.json': {
		'Rows to Do': items(
			{ row_number: 2, title: 'Paper Boat', idea: 'A paper boat in the rain', status: 'to do' },
			{ row_number: 4, title: 'Kite', idea: 'A kite over the sea', status: 'to do' },
		),
		'Mark as Rendering': items(
			{ row_number: 2, status: 'rendering' },
			{ row_number: 4, status: 'rendering' },
		),
		'Upload to Drive': items(
			{ name: 'Paper Boat.mp4', webViewLink: 'https://example.com/paper-boat' },
			{ name: 'Kite.mp4', webViewLink: 'https://example.com/kite' },
		),
		'Write Link and Cost': items(
			{ row_number: 2, status: 'done', link: 'https://example.com/paper-boat' },
			{ row_number: 4, status: 'done', link: 'https://example.com/kite' },
		),
		'Write Reason': items({ row_number: 2, status: 'failed' }),
	},
};

/**
 * The example with what other services answer. A pinned node cannot fail, but n8n would show its item
 * on an error output, too.
 */
export function pinAnswers(example, fileName) {
	const pinData = PINNED[fileName];
	if (!pinData) return example;
	const nodes = example.nodes.map((node) =>
		pinData[node.name] ? { ...node, onError: undefined } : node,
	);
	const connections = Object.entries(example.connections).map(([name, { main, ...others }]) => [
		name,
		{ ...others, ...(main && { main: pinData[name] ? main.slice(0, 1) : main }) },
	]);
	return { ...example, nodes, connections: Object.fromEntries(connections), pinData };
}
