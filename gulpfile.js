const { dest, src, task } = require('gulp');

// What `n8n-node build` copies beside the compiled files: icons and output schemas, byte for byte
// (tsc writes JSON anew). `base` keeps the folder of each; without `encoding: false` gulp 5 corrupts
// PNG files.
const STATIC = ['icons/**/*.{png,svg}', 'nodes/**/*.{png,svg}', 'nodes/**/__schema__/**/*.json'];

task('build:icons', () => src(STATIC, { base: '.', encoding: false }).pipe(dest('dist')));
