// Node.js's test runner with files in the order given: on its command line, it sorts them.
// Arguments: the file for the results, how many files at a time, the time limit of a test in milliseconds, the files.
import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import counts from './counts.reporter.mjs';

const [resultFile, concurrency, timeout, ...files] = process.argv.slice(2);
const tests = run({ files, concurrency: Number(concurrency), timeout: Number(timeout) });
tests.on('test:fail', () => (process.exitCode = 1));
tests.compose(new spec()).pipe(process.stdout);
tests.compose(counts).pipe(createWriteStream(resultFile));
