// Drives Yjs for the suite: one request a line on standard input, one answer a line.
// Records are maps in one map, a set is a map's keys, a log a map by identifier,
// a group a plain object.
const Y = require('yjs')
const { readFileSync } = require('fs')
const { dirname, join } = require('path')
const lines = require('readline').createInterface({ input: process.stdin })

const documents = {}
const kept = {}

const save = (name) => Y.encodeStateAsUpdate(documents[name])

function load(data) {
  const document = new Y.Doc()
  Y.applyUpdate(document, data)
  return document
}

function record(document, name) {
  const items = document.getMap('item')
  if (!items.has(name)) {
    const made = new Y.Map()
    made.set('tags', new Y.Map())
    made.set('notes', new Y.Text())
    items.set(name, made)
  }
  return items.get(name)
}

function edit(document, step) {
  const notes = record(document, step.type ?? step.rewrite).get('notes')
  if (step.rewrite !== undefined) {
    notes.delete(0, notes.length)
    notes.insert(0, step.text)
    return
  }
  // Places are counted in units of UTF-16 here, and in code points in a scenario.
  const points = [...notes.toString()]
  const at = points.slice(0, step.at ?? points.length).join('').length
  const erased = points.slice(step.at ?? 0).slice(0, step.erase ?? 0).join('').length
  if (erased) notes.delete(at, erased)
  if (step.text) notes.insert(at, step.text)
}

function change(document, step) {
  if (step.delete !== undefined) {
    document.getMap('item').delete(step.delete)
  } else if (step.log !== undefined) {
    document.getMap('event').set(step.log, step.what)
  } else if (step.add !== undefined) {
    record(document, step.add).get('tags').set(step.tag, true)
  } else if (step.take !== undefined) {
    record(document, step.take).get('tags').delete(step.tag)
  } else if (step.type !== undefined || step.rewrite !== undefined) {
    edit(document, step)
  } else {
    const fields = record(document, step.write)
    for (const [field, value] of Object.entries(step.fields)) {
      if (field === 'notes') fields.get('notes').insert(fields.get('notes').length, value)
      else if (value === null) fields.delete(field)
      else fields.set(field, value)
    }
  }
}

function show(document) {
  const records = document.getMap('item').toJSON()
  for (const one of Object.values(records)) one.tags = Object.keys(one.tags ?? {})
  return { records, log: document.getMap('event').toJSON() }
}

const verbs = {
  version: () => JSON.parse(
    readFileSync(join(dirname(require.resolve('yjs')), '..', 'package.json'))).version,
  make: ({ name }) => { documents[name] = new Y.Doc() },
  change: ({ name, step }) => documents[name].transact(() => change(documents[name], step)),
  sync: ({ name, other }) => {
    const [first, second] = [save(name), save(other)]
    Y.applyUpdate(documents[name], second)
    Y.applyUpdate(documents[other], first)
  },
  show: ({ name }) => show(documents[name]),
  copy: ({ name, other }) => { documents[other] = load(save(name)) },
  keep: ({ name }) => { kept[name] = save(name) },
  restore: ({ name }) => { documents[name] = load(kept[name]) }
}

lines.on('line', (line) => {
  const request = JSON.parse(line)
  console.log(JSON.stringify(verbs[request.do](request) ?? null))
})
