import type { Repair } from './driver.repairs.ts';

/*
 * Statements of a transaction that are sent together, its BEGIN among them, are one group with one Sync behind it: one write, one answer to
 * read, and one wait. PostgreSQL skips what stands behind a statement that fails, up to the Sync, so nothing runs behind a BEGIN that
 * failed; what is asked for after BEGIN was written, and before it is answered, waits, and so does what needs a Sync or an answer of its
 * own: a statement that is new to the connection, or simple.
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */

/** How much of what is asked for in one turn of the event loop is kept for one write, in bytes. */
const WRITE_BYTES = 65_536;

/** Additions to `connection.js`. */
export const GROUPS: readonly Repair[] = [
  {
    flaw: 'an Execute without its Sync',
    text: '    , DescribeUnnamed = b()',
    repaired: '    , ExecuteJoined = b().E().str(b.N).i32(0).end()\n    , DescribeUnnamed = b()',
  },
  {
    flaw: 'the last statement that was written without its Sync, and a BEGIN without an answer',
    text: '    , nonce = null\n',
    repaired: '    , nonce = null\n    , joined = null\n    , opening = null\n',
  },
  {
    flaw: 'each statement of a transaction joins its group; what has a Sync of its own, or none yet, ends the group before it',
    text: '      build(q)\n      return write(toBuffer(q))\n',
    repaired: `      build(q)
      q.isLast = false
      q.isJoined = !q.options.simple && !q.cursorFn && !q.onlyDescribe
        && !!(q.options.onexecute || connection.reserved && !connection.reserved.release)
      if (opening && (!q.isJoined || q.describeFirst)) {
        sent.remove(q)
        connection.holdsBack = true
        connection.reserved.waiting.push(q)
        return true
      }
      const bytes = toBuffer(q)
      if (joined && (!q.isJoined || q.describeFirst))
        write(endGroup())
      if (q.isJoined && !q.describeFirst)
        joined = q
      if (q.options.onexecute)
        opening = q
      return write(bytes)
`,
  },
  {
    flaw: 'the same, when it is bound',
    text: "        ? Execute('', q.cursorRows)\n        : ExecuteUnnamed\n",
    repaired: "        ? Execute('', q.cursorRows)\n        : q.isJoined ? ExecuteJoined : ExecuteUnnamed\n",
  },
  {
    flaw: 'the same, once its parameters are described',
    text: '    query.describeFirst && !query.onlyDescribe && (write(prepared(query)), query.describeFirst = false)\n',
    repaired: `    if (query.describeFirst && !query.onlyDescribe) {
      const bytes = prepared(query)
      query.isJoined && (joined = query)
      write(bytes)
      query.describeFirst = false
    }
`,
  },
  {
    flaw: 'what is asked for in one turn of the event loop is one write',
    text: '    if (fn || chunk.length >= 1024)\n',
    repaired: `    if (fn || chunk.length >= ${WRITE_BYTES})\n`,
  },
  {
    flaw: 'each write ends the group, and holds back what follows a BEGIN that it contains',
    text: '    const x = socket.write(chunk, fn)\n',
    repaired: `    if (joined)
      chunk = Buffer.concat([chunk, endGroup()])
    connection.holdsBack = opening !== null
    const x = socket.write(chunk, fn)
`,
  },
  {
    flaw: 'nothing of a group stays behind a connection that is gone',
    text: '      query = chunk = nextWriteTimer = null\n',
    repaired: '      query = chunk = nextWriteTimer = joined = opening = null\n',
  },
  {
    flaw: 'nothing of a group stays for the next connection',
    text: "    chunk = nextWriteTimer = null\n    socket.removeListener('connect', connected)\n    idleTimer.cancel()\n",
    repaired: `    chunk = nextWriteTimer = joined = opening = null
    connection.holdsBack = false
    socket.removeListener('connect', connected)
    idleTimer.cancel()
`,
  },
  {
    flaw: 'a statement within a group ends without a ReadyForQuery',
    text: '  function ParseComplete() {\n',
    repaired: `  function endGroup() {
    joined.isLast = true
    joined = null
    return Sync
  }

  function proceed() {
    if (!query || !query.isJoined || query.isLast)
      return
    query.resolve(results || result)
    query = results = null
    result = new Result()
    rows = 0
    takeNext()
  }

  function takeNext() {
    if (sent.length) {
      query = sent.shift()
      query.active = true
      query.cancelled && Connection(options).cancel(query.state, query.cancelled.resolve, query.cancelled.reject)
    }
  }

  function skipGroup() {
    const message = 'current transaction is aborted, commands ignored until end of transaction block'
    for (let skipped = null; sent.length && !(skipped && skipped.isLast);) {
      skipped = sent.shift()
      queryError(skipped, Errors.postgres({ message, severity: 'ERROR', code: '25P02' }))
    }
  }

  function ParseComplete() {
`,
  },
  {
    flaw: 'the same',
    text: `      result.count && query.cursorFn(result)
      write(Sync)
    }
  }
`,
    repaired: `      result.count && query.cursorFn(result)
      write(Sync)
    }
    query === opening && (opening = null)
    proceed()
  }
`,
  },
  {
    flaw: 'the same, for a statement that is empty',
    text: '  function EmptyQueryResponse() {\n    /* noop */\n',
    repaired: '  function EmptyQueryResponse() {\n    proceed()\n',
  },
  {
    flaw: 'a BEGIN is answered, if only with an error, and no longer holds back what follows',
    text: '  function ReadyForQuery(x) {\n    if (query) {\n      if (errorResponse) {\n',
    repaired: `  function ReadyForQuery(x) {
    query === opening && (opening = null)
    connection.holdsBack = opening !== null
    if (query) {
      if (errorResponse) {
        const skips = query.isJoined && !query.isLast
`,
  },
  {
    flaw: 'after an error the rest of the group was skipped',
    text: '            : errored(errorResponse)\n',
    repaired: '            : errored(errorResponse)\n        skips && skipGroup()\n',
  },
];

/** Additions to `index.js`: the work of a transaction begins as soon as it has a connection; what it asks for first is sent with BEGIN. */
export const TRANSACTIONS: readonly Repair[] = [
  {
    flaw: 'BEGIN is sent alone, and waited for',
    text: `      await sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute }).execute()
      return await Promise.race([
        scope(connection, fn),
`,
    repaired: `      const reserving = new Promise(resolve => isReserved = resolve)
      const text = 'begin ' + options.replace(/[^a-z ]/ig, '')
      const opening = sql.unsafe(text, [], { onexecute, prepare: true, simple: false }).execute()
      opening.catch(error => {
        refusal = error
        while (queries.length)
          queries.shift().reject(error)
      })
      await Promise.race([reserving, opening])
      move(connection, reserved)
      return await Promise.race([
        opening.then(() => new Promise(() => { /* noop */ })),
        scope(connection, fn),
`,
  },
  {
    flaw: 'the same: its state',
    text: '    let savepoints = 0\n      , connection\n',
    repaired: '    let savepoints = 0\n      , refusal = null\n      , isReserved\n      , connection\n',
  },
  {
    flaw: 'the same: when it has a connection',
    text: '    function onexecute(c) {\n      connection = c\n',
    repaired: '    function onexecute(c) {\n      isReserved()\n      connection = c\n',
  },
  {
    flaw: 'behind a BEGIN that failed nothing is sent, and in order what had to wait',
    text: `        c.queue === full
          ? queries.push(q)
`,
    repaired: `        if (refusal)
          return q.reject(refusal)
        c.queue === full || c.holdsBack
          ? queries.push(q)
`,
  },
  {
    flaw: 'what had to wait is sent one by one',
    text: `      c.reserved = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)
    }
  }
`,
    repaired: `      c.reserved = () => {
        while (queries.length)
          if (!c.execute(queries.shift()))
            return move(c, full)
        move(c, reserved)
      }
      c.reserved.waiting = queries
    }
  }
`,
  },
];
