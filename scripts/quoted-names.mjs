import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './node-version.mjs'
import { listSourceFiles } from './source-files.mjs'
import { findLineAt, parseFile, visitNodes } from './syntax-tree.mjs'

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
const listWords = (text) => text.match(/[\p{L}_$][\p{L}\d_$]*/gu) ?? []

/** Finds names in backticks: `name`, `name.member` or `name()`. @param {string} text @returns {{ name: string, offset: number }[]} */
export const findQuotedNames = (text) =>
  [...text.matchAll(/`([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(?:\(\))?`/g)].map(({ 1: name = '', index }) => ({ name, offset: index }))

/** Finds paths of our own in backticks: of a file, a folder, or an end-to-end test without its extension. @param {string} markdownText @returns {{ name: string, offset: number }[]} */
export const findQuotedPaths = (markdownText) =>
  [...markdownText.matchAll(/`((?:bench|brands|client|contract|deploy|docs|dsp|e2e|public|scripts|server|sw|testing)\/[\w./-]*)`/g)].map(
    ({ 1: name = '', index }) => ({ name, offset: index }),
  )

/**
 * Reads a program: the names that its comments quote, the words of its code, and those of them that a comment of another file may quote:
 * exported names and texts. A name that only another file's code has counts as unknown, since it says nothing to the reader of this one.
 *
 * @param {string} filePath @param {string} sourceText
 */
export function readProgram(filePath, sourceText) {
  const { program, comments } = parseFile(filePath, sourceText)
  const uncommentedCode = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), sourceText)
  /** @type {string[]} */
  const sharedWords = []
  visitNodes(program, (node) => {
    if (node.type === 'ExportNamedDeclaration' && node.declaration !== null) {
      for (const { id } of node.declaration.declarations ?? [node.declaration])
        sharedWords.push(...listWords(sourceText.slice(id.start, id.end)))
    }
    // Names with an underscore are those of HTTP messages, settings and manifests.
    if (/Property/.test(node.type) && node.key?.name?.includes('_')) sharedWords.push(node.key.name)
    if (node.type === 'Literal' && typeof node.value === 'string') sharedWords.push(...listWords(node.value))
    if (node.type === 'TemplateElement') sharedWords.push(...listWords(node.value.raw))
  })
  const quotedNames = comments.flatMap(({ value, start }) =>
    findQuotedNames(value).map(({ name, offset }) => ({ name, line: findLineAt(sourceText, start + offset) })),
  )
  return { quotedNames, ownWords: new Set(listWords(uncommentedCode)), sharedWords }
}

/**
 * Whether one of the dictionaries contains the name, or the object in front of its dot.
 * @param {string} name @param {ReadonlySet<string>[]} dictionaries
 */
export const isKnownName = (name, ...dictionaries) =>
  [foreignNames, ...dictionaries].some((words) => words.has(name) || words.has(name.split('.')[0] ?? ''))

/** Returns the names that TypeScript itself declares: of the language, the DOM and workers, each with its members. @returns {string[]} */
function listStandardNames() {
  const packagesFolder = join(root, 'node_modules/@typescript')
  const libraryPackage = readdirSync(packagesFolder).find((name) => name.startsWith('typescript-'))
  const libraryFolder = join(packagesFolder, libraryPackage ?? '', 'lib')
  return readdirSync(libraryFolder)
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => [...readFileSync(join(libraryFolder, file), 'utf8').matchAll(standardDeclaration)].map(([, name = '']) => name))
}

function checkNames() {
  const filePaths = listSourceFiles().filter((file) => file !== 'package-lock.json')
  /** @param {RegExp} pattern */
  const readAllFiles = (pattern) =>
    filePaths.filter((file) => pattern.test(file)).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const parsedPrograms = readAllFiles(/\.(tsx?|mjs)$/).map(({ file, text }) => ({ file, ...readProgram(file, text) }))
  const parsedDocuments = readAllFiles(/\.md$/).map(({ file, text }) => ({
    file,
    text: text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/./g, ' ')),
  }))

  const sharedWords = new Set([
    ...filePaths.flatMap((file) => file.split('/')).flatMap((part) => [part, part.replace(/\..*$/, ''), ...listWords(part)]),
    ...readAllFiles(/\.(json|css|html|ya?ml|service|conf)$|Caddyfile|\.npmrc$/).flatMap(({ text }) => listWords(text)),
    ...parsedPrograms.flatMap((program) => program.sharedWords),
    ...listStandardNames(),
  ])
  const allWords = new Set(parsedPrograms.flatMap(({ ownWords }) => [...ownWords]))

  const isKnownPath = (/** @type {string} */ path) => ['', '.spec.ts'].some((extension) => existsSync(join(root, path + extension)))
  const unknownNameTexts = [
    ...readAllFiles(/\.(tsx?|mjs|css|md)$/).flatMap(({ file, text }) =>
      findQuotedPaths(text)
        .filter(({ name }) => !isKnownPath(name))
        .map(({ name, offset }) => `${file}:${findLineAt(text, offset)}: ${name}`),
    ),
    ...parsedPrograms.flatMap(({ file, quotedNames, ownWords }) =>
      quotedNames.filter(({ name }) => !isKnownName(name, sharedWords, ownWords)).map(({ name, line }) => `${file}:${line}: ${name}`),
    ),
    ...parsedDocuments.flatMap(({ file, text }) =>
      findQuotedNames(text)
        .filter(({ name }) => !isKnownName(name, sharedWords, allWords))
        .map(({ name, offset }) => `${file}:${findLineAt(text, offset)}: ${name}`),
    ),
  ]
  for (const breach of unknownNameTexts) process.stdout.write(`${breach} does not exist\n`)
  process.stdout.write(
    `${parsedPrograms.length} programs, ${parsedDocuments.length} documents, ${unknownNameTexts.length} names that do not exist\n`,
  )
  process.exitCode = unknownNameTexts.length === 0 && parsedPrograms.length > 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) checkNames()
