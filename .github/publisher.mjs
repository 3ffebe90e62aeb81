// Who publishes this package stands in one place: `author` and `repository` of package.json.
//   node .github/publisher.mjs            writes the links and the license of all files from there
//   node .github/publisher.mjs --check    refuses placeholders, and files that say something else
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { name, author, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const page = /github\.com\/[\w.-]+\/[\w-]+/.exec(repository.url)[0];
const say = (text) =>
	text
		.replace(new RegExp(`github\\.com/[\\w.-]+/${name}(?![\\w-])`, 'g'), page)
		.replace(/^(Copyright \(c\) \d+ ).+$/m, `$1${author.name}`);

const problems = [];
if (page === `github.com/${name}/${name}`)
	problems.push('package.json: repository is a placeholder');
if (author.name === `${name} contributors` || author.email?.startsWith('contributors@users.')) {
	problems.push('package.json: author is a placeholder');
}
const isCheck = process.argv.includes('--check');
for (const file of execFileSync('git', ['ls-files', '-z']).toString().split('\0').filter(Boolean)) {
	const text = readFileSync(file, 'latin1');
	if (say(text) === text) continue;
	if (isCheck) problems.push(`${file}: names another publisher than package.json`);
	else writeFileSync(file, say(text), 'latin1');
}
if (isCheck && problems.length > 0) {
	console.error([...problems, 'See "Releases" in docs/dev/changing.md.'].join('\n'));
	process.exitCode = 1;
}
