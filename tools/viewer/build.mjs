// Builds dist/report.html: the viewer in one file, with marks where `scree report` puts title and data;
// and dist/several.html, the page around the viewers of several runs.
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
// What needs no library stands in the page as it is written.
const parts = {
  'VIEWER-SOURCES-HERE': hashOfSources(),
  'VIEWER-STYLE-HERE': `${output('.css')}\n${read('src/style.css')}`,
  'VIEWER-PARTS-HERE': ['theme', 'measured', 'moved'].map((name) => read(`src/${name}.js`)).join('\n'),
  'VIEWER-SCRIPT-HERE': `/*\nContains\n\n${licences.join('\n\n')}\n*/\n${output('.js')}`,
};
let page = read('src/page.html');
for (const [mark, text] of Object.entries(parts)) page = page.split(mark).join(text);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/report.html', page);
// The page of several runs has the page of one in it, so it needs none of this.
let several = read('src/several.html');
for (const [mark, name] of [['SEVERAL-STYLE-HERE', 'style.css'], ['SEVERAL-SCRIPT-HERE', 'several.js']]) several = several.split(mark).join(read(`src/${name}`));
writeFileSync('dist/several.html', several);
console.log(`dist/report.html: ${page.length} bytes`);
