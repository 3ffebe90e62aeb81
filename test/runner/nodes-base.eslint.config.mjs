// eslint-plugin-n8n-nodes-base on its own. @n8n/node-cli brings the same rule sets, switches the
// same three kinds of rules off (not valid for community nodes), and says why in its own source.
import { createRequire } from 'node:module';
import plugin from 'eslint-plugin-n8n-nodes-base';

const require = createRequire(import.meta.url);
// The parser that node-cli lints with; it is no dependency of ours.
const { parser } = createRequire(require.resolve('@n8n/node-cli/eslint'))('typescript-eslint');

const languageOptions = { parser, parserOptions: { extraFileExtensions: ['.json'] } };
const plugins = { 'n8n-nodes-base': plugin };
const off = (...names) =>
	Object.fromEntries(names.map((name) => [`n8n-nodes-base/${name}`, 'off']));

export default [
	{
		files: ['package.json'],
		languageOptions,
		plugins,
		rules: plugin.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		languageOptions,
		plugins,
		rules: {
			...plugin.configs.credentials.rules,
			...off(
				'cred-class-field-documentation-url-miscased',
				'cred-class-field-type-options-password-missing',
			),
		},
	},
	{
		files: ['nodes/**/*.ts'],
		languageOptions,
		plugins,
		rules: {
			...plugin.configs.nodes.rules,
			...off(
				'node-class-description-inputs-wrong-regular-node',
				'node-class-description-outputs-wrong',
				'node-param-type-options-max-value-present',
			),
		},
	},
];
