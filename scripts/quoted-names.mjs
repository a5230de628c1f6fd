import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './node-version.mjs'
import { sourceFiles } from './source-files.mjs'
import { lineAt, parseFile, visitNodes } from './syntax-tree.mjs'

// Prints every name and path in backticks, in a comment or a document, that exists nowhere; exits with 1 if there is one.

/** Names of other programs and of formats. */
const foreignNames = new Set([
  ...['big_values', 'global_gain', 'main_data_begin', 'part2_3_length'], // fields of an MP3 frame
  ...['DECDELAY', 'ENCDELAY', 'lame_encode_flush'], // LAME's source
  ...['adm', 'iproute2', 'nodejs', 'nvm', 'sudo', 'timedatectl'], // Debian
  ...['autoFocus', 'Suspense', 'combobox'], // React, ARIA
  'moov', // a box of an MP4 file
  'registry.npmjs.org',
  'createX', // an example
])

const standardDeclaration = /^(?: {4}|(?:declare )?(?:var|function|interface|type|namespace) )(?:readonly |get |set )?([A-Za-z]\w*)/gm

/** @param {string} text */
const wordsOf = (text) => text.match(/[\p{L}_$][\p{L}\d_$]*/gu) ?? []

/** Finds names in backticks: `name`, `name.member` or `name()`. @param {string} text @returns {{ name: string, offset: number }[]} */
export const findQuotedNames = (text) =>
  [...text.matchAll(/`([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(?:\(\))?`/g)].map(({ 1: name = '', index }) => ({ name, offset: index }))

/** Finds paths of our own in backticks: of a file, a folder, or an end-to-end test without its extension. @param {string} text @returns {{ name: string, offset: number }[]} */
export const findQuotedPaths = (text) =>
  [...text.matchAll(/`((?:bench|brands|client|contract|deploy|docs|dsp|e2e|public|scripts|server|sw|testing)\/[\w./-]*)`/g)].map(
    ({ 1: name = '', index }) => ({ name, offset: index }),
  )

/**
 * Reads a program: the names that its comments quote, the words of its code, and those of them that a comment of another file may quote:
 * exported names and texts. A name that only another file's code has counts as unknown, since it says nothing to the reader of this one.
 *
 * @param {string} file @param {string} text
 */
export function readProgram(file, text) {
  const { program, comments } = parseFile(file, text)
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
  /** @type {string[]} */
  const sharedWords = []
  visitNodes(program, (node) => {
    if (node.type === 'ExportNamedDeclaration' && node.declaration !== null) {
      for (const { id } of node.declaration.declarations ?? [node.declaration]) sharedWords.push(...wordsOf(text.slice(id.start, id.end)))
    }
    // Names of the wire, of settings and of manifests.
    if (/Property/.test(node.type) && node.key?.name?.includes('_')) sharedWords.push(node.key.name)
    if (node.type === 'Literal' && typeof node.value === 'string') sharedWords.push(...wordsOf(node.value))
    if (node.type === 'TemplateElement') sharedWords.push(...wordsOf(node.value.raw))
  })
  const quotedNames = comments.flatMap(({ value, start }) =>
    findQuotedNames(value).map(({ name, offset }) => ({ name, line: lineAt(text, start + offset) })),
  )
  return { quotedNames, ownWords: new Set(wordsOf(code)), sharedWords }
}

/**
 * Whether one of the dictionaries contains the name, or the object in front of its dot.
 * @param {string} name @param {ReadonlySet<string>[]} dictionaries
 */
export const isKnownName = (name, ...dictionaries) =>
  [foreignNames, ...dictionaries].some((words) => words.has(name) || words.has(name.split('.')[0] ?? ''))

/** Returns the names that TypeScript itself declares: of the language, the DOM and workers, each with its members. @returns {string[]} */
function standardNames() {
  const packages = join(root, 'node_modules/@typescript')
  const library = readdirSync(packages).find((name) => name.startsWith('typescript-'))
  const folder = join(packages, library ?? '', 'lib')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(standardDeclaration)].map(([, name = '']) => name))
}

function main() {
  const files = sourceFiles().filter((file) => file !== 'package-lock.json')
  /** @param {RegExp} pattern */
  const readAll = (pattern) =>
    files.filter((file) => pattern.test(file)).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const programs = readAll(/\.(tsx?|mjs)$/).map(({ file, text }) => ({ file, ...readProgram(file, text) }))
  const documents = readAll(/\.md$/).map(({ file, text }) => ({
    file,
    text: text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/./g, ' ')),
  }))

  const sharedWords = new Set([
    ...files.flatMap((file) => file.split('/')).flatMap((part) => [part, part.replace(/\..*$/, ''), ...wordsOf(part)]),
    ...readAll(/\.(json|css|html|ya?ml|service|conf)$|Caddyfile|\.npmrc$/).flatMap(({ text }) => wordsOf(text)),
    ...programs.flatMap((program) => program.sharedWords),
    ...standardNames(),
  ])
  const allWords = new Set(programs.flatMap(({ ownWords }) => [...ownWords]))

  const isKnownPath = (/** @type {string} */ path) => ['', '.spec.ts'].some((extension) => existsSync(join(root, path + extension)))
  const breaches = [
    ...readAll(/\.(tsx?|mjs|css|md)$/).flatMap(({ file, text }) =>
      findQuotedPaths(text)
        .filter(({ name }) => !isKnownPath(name))
        .map(({ name, offset }) => `${file}:${lineAt(text, offset)}: ${name}`),
    ),
    ...programs.flatMap(({ file, quotedNames, ownWords }) =>
      quotedNames.filter(({ name }) => !isKnownName(name, sharedWords, ownWords)).map(({ name, line }) => `${file}:${line}: ${name}`),
    ),
    ...documents.flatMap(({ file, text }) =>
      findQuotedNames(text)
        .filter(({ name }) => !isKnownName(name, sharedWords, allWords))
        .map(({ name, offset }) => `${file}:${lineAt(text, offset)}: ${name}`),
    ),
  ]
  for (const breach of breaches) process.stdout.write(`${breach} does not exist\n`)
  process.stdout.write(`${programs.length} programs, ${documents.length} documents, ${breaches.length} names that do not exist\n`)
  process.exitCode = breaches.length === 0 && programs.length > 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
