// Builds dist/report.html: the viewer in one file, with marks where `scree report` puts title and data.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import esbuild from 'esbuild';

const read = (path) => readFileSync(path, 'utf8');

// Of everything that decides what is built; tests compute it again to see that dist/ is up to date.
function hashOfSources() {
  const hash = createHash('sha256');
  const files = ['build.mjs', 'package-lock.json', ...readdirSync('src').sort().map((name) => `src/${name}`)];
  for (const file of files) hash.update(`${file}\n${read(file)}\n`);
  return hash.digest('hex');
}

const built = await esbuild.build({
  entryPoints: ['src/main.js'],
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome103', 'firefox113', 'safari16.4'],
  legalComments: 'none',
  outdir: 'dist',
  write: false,
});
const output = (extension) => built.outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();

const licences = ['three', 'uplot'].map((name) => `${name} ${JSON.parse(read(`node_modules/${name}/package.json`)).version}\n\n${read(`node_modules/${name}/LICENSE`).trim()}`);
const parts = {
  'VIEWER-SOURCES-HERE': hashOfSources(),
  'VIEWER-STYLE-HERE': output('.css'),
  'VIEWER-SCRIPT-HERE': `/*\nContains\n\n${licences.join('\n\n')}\n*/\n${output('.js')}`,
};
let page = read('src/page.html');
for (const [mark, text] of Object.entries(parts)) page = page.split(mark).join(text);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/report.html', page);
console.log(`dist/report.html: ${page.length} bytes`);
