#!/usr/bin/python3
"""Shows that `inkling build --like-scikit-learn` gives the matrix of scikit-learn's TfidfVectorizer, and `inkling build`
that of a TfidfVectorizer with our defaults: the same words, the same sparsity, values as near as float32 allows, in arrays
that SciPy uses without a copy.

  tfidf_agreement.py PROGRAM                     generated texts in many scripts, under many options
  tfidf_agreement.py PROGRAM --source PATH ...   a folder, archive, lines or JSONL file of your own, by --like-scikit-learn

Exit code 77: scikit-learn or SciPy is not installed.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile

try:
    import numpy as np
    import scipy.sparse as sp
    from sklearn.feature_extraction.text import TfidfVectorizer
except ImportError as error:
    print(f'skipped: {error}')
    sys.exit(77)

TOLERANCE = 3e-8  # of values up to 1, which float32 holds within 2^-25
TOLERANCE_OF_LARGER = 1e-6
LIKE = '--like-scikit-learn'


def our_defaults(documents, **arguments):
    """The arguments with which a vectorizer does what our defaults do."""
    return {'sublinear_tf': True, 'max_df': 0.95 if documents >= 20 else 1.0, 'ngram_range': (1, 2), **arguments}


def build(program, source, pool, options):
    subprocess.run([program, 'build', source, '--out', pool, '--force', *options], check=True, stderr=subprocess.DEVNULL)


def load(pool):
    """The pool's rows and columns as SciPy matrices over the mapped files."""
    def mapped(name):
        return np.load(os.path.join(pool, name), mmap_mode='r')
    shape = (len(mapped('indptr.npy')) - 1, len(mapped('by_feature/indptr.npy')) - 1)
    data = mapped('data.npy')
    rows = sp.csr_matrix((data, mapped('indices.npy'), mapped('indptr.npy')), shape=shape)
    assert np.shares_memory(rows.data, data), 'SciPy copied data.npy'
    columns = sp.csc_matrix((mapped('by_feature/data.npy'), mapped('by_feature/indices.npy'),
                             mapped('by_feature/indptr.npy')), shape=shape)
    return rows, columns


def terms_of(pool):
    with open(os.path.join(pool, 'vocabulary.txt'), encoding='utf-8', newline='\n') as file:
        return file.read().split('\n')[:-1]


def ids_of(pool):
    bytes_ = np.load(os.path.join(pool, 'documents/ids.npy')).tobytes()
    begins = np.load(os.path.join(pool, 'documents/ids_indptr.npy'))
    return [bytes_[a:b].decode() for a, b in zip(begins, begins[1:])]


def ours(options):
    """Our options with an equal treatment of runs of words: by default, runs in few documents count only in the lengths of rows."""
    return [*options, '--min-df-runs', '1']


def compare(name, pool, documents, **options):
    vectorizer = TfidfVectorizer(**options)
    compare_matrix(name, pool, vectorizer.fit_transform(documents), vectorizer)


def compare_matrix(name, pool, expected, vectorizer):
    expected.sort_indices()
    rows, columns = load(pool)
    assert rows.shape == expected.shape, f'{name}: shape {rows.shape}, expected {expected.shape}'
    assert terms_of(pool) == list(vectorizer.get_feature_names_out()), f'{name}: other words'
    assert np.array_equal(rows.indptr, expected.indptr), f'{name}: rows of other lengths'
    assert np.array_equal(rows.indices, expected.indices), f'{name}: other sparsity'
    worst = float(np.max(np.abs(rows.data - expected.data), initial=0.0))
    assert worst <= (TOLERANCE if vectorizer.norm else TOLERANCE_OF_LARGER), f'{name}: values differ by {worst}'
    transposed = rows.tocsc()
    for part in ('indptr', 'indices', 'data'):
        assert np.array_equal(getattr(transposed, part), getattr(columns, part)), f'{name}: by_feature/{part} differs'
    print(f'{name}: {rows.shape[0]} documents, {rows.shape[1]} words, {rows.nnz} values, greatest difference {worst:.1e}')


def any_character(rng):
    while True:
        code = rng.choice([rng.randrange(0x80), rng.randrange(0x800), rng.randrange(0x10000), rng.randrange(0x110000)])
        if not 0xD800 <= code < 0xE000 and chr(code) not in '\n\r':
            return chr(code)


def generated_documents(seed, count):
    """Texts with words of many scripts and odd characters between and within them, some of them empty."""
    rng = random.Random(seed)
    letters = ['abcdefgh', 'ABCDEFGH', 'éàüßñÅǅ', 'ΑΒΓΣσςάΐ', 'ЁЖЗабв', 'אבגד', 'ابتث', 'कखगा', '東京都日', 'ｱｲｳ', '0123_', '²½Ⅷ①',
               'İıſK', "'.-·’\u0301\u0345\u00ad"]
    words = [''.join(rng.choice(rng.choice(letters)) for _ in range(rng.randrange(1, 9))) for _ in range(400)]
    words += [''.join(any_character(rng) for _ in range(rng.randrange(1, 6))) for _ in range(200)]
    words += ['the', 'and', 'of', 'a', 'x' * 15, 'x' * 16, 'x' * 17, 'ж' * 8, 'ж' * 9, 'y' * 500]
    documents = []
    for _ in range(count):
        length = rng.choice([0, 1, 3, 40, 200])
        documents.append(rng.choice([' ', ', ', '\t', '--']).join(rng.choice(words) for _ in range(length)))
    documents[0] = 'plain words so that no vocabulary is empty'
    return documents


CASES = [
    ([], {}),
    (['--stop-words', 'english'], {'stop_words': 'english'}),
    (['--ngrams', '1,2'], {'ngram_range': (1, 2)}),
    (['--ngrams', '2,3', '--stop-words', 'english'], {'ngram_range': (2, 3), 'stop_words': 'english'}),
    (['--min-df', '3', '--max-df', '0.5'], {'min_df': 3, 'max_df': 0.5}),
    (['--tf', 'sublinear', '--norm', 'l1'], {'sublinear_tf': True, 'norm': 'l1'}),
    (['--tf', 'binary', '--idf', 'plain'], {'binary': True, 'smooth_idf': False}),
    (['--idf', 'none', '--norm', 'none'], {'use_idf': False, 'norm': None}),
    (['--keep-case'], {'lowercase': False}),
    (['--tokens', 'letters'], {'token_pattern': '[a-z]+'}),
    (['--memory', '256M', '--threads', '1'], {}),
]


def check_generated(program):
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(3):
            documents = generated_documents(seed, 300)
            lines = os.path.join(folder, 'corpus.txt')
            records = os.path.join(folder, 'corpus.jsonl')
            with open(lines, 'w', encoding='utf-8', newline='\n') as file:
                file.writelines(document + '\n' for document in documents)
            with open(records, 'w', encoding='utf-8', newline='\n') as file:
                file.writelines(json.dumps({'text': document}, ensure_ascii=seed % 2 == 0) + '\n' for document in documents)
            for source in (lines, records):
                for number, (options, arguments) in enumerate(CASES):
                    pool = os.path.join(folder, f'pool{number}')
                    name = f'seed {seed}, {os.path.basename(source)} {" ".join(options)}'
                    build(program, source, pool, [LIKE, *options])
                    compare(f'{name} {LIKE}', pool, documents, **arguments)
                    if source == lines:
                        build(program, source, pool, ours(options))
                        compare(name, pool, documents, **our_defaults(len(documents), **arguments))


# Given options override --like-scikit-learn, and its parts can be given one by one.
WORD_OF_ALL_CASES = [
    (ours([]), our_defaults),
    ([LIKE], lambda _: {}),
    (['--tf', 'raw', '--max-df', '1.0', '--ngrams', '1'], lambda _: {}),
    ([LIKE, '--max-df', '0.95'], lambda _: {'max_df': 0.95}),
    ([LIKE, '--tf', 'sublinear'], lambda _: {'sublinear_tf': True}),
    (['--max-df', '0.95', '--tf', 'raw', '--ngrams', '1'], lambda _: {'max_df': 0.95}),
]


def check_words_of_nearly_all(program):
    """Checks words in all documents, or in all but one in 20 or 25, with few documents and with many."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (3, 19, 20, 21, 39, 40, 200):
            documents = [f'{text} everywhere {"often often " * (n % 25 > 0)}{"mostly" * (n % 20 > 0)}'
                         for n, text in enumerate(generated_documents(4, count))]
            source = write_lines(os.path.join(folder, 'corpus.txt'), documents)
            for number, (options, arguments) in enumerate(WORD_OF_ALL_CASES):
                pool = os.path.join(folder, f'pool{number}')
                build(program, source, pool, options)
                compare(f'{count} documents {" ".join(options)}', pool, documents, **arguments(count))
                kept = 'everywhere' in terms_of(pool)
                assert kept == (count < 20 if options == ours([]) else '0.95' not in options)


# Columns are in order of their terms here, so scikit-learn gets a list in that order.
GIVEN_CASES = [
    ([], {}),
    (['--stop-words', 'english'], {'stop_words': 'english'}),
    (['--tf', 'sublinear', '--norm', 'l1'], {'sublinear_tf': True, 'norm': 'l1'}),
    (['--ngrams', '1,2'], {'ngram_range': (1, 2)}),
    (['--idf', 'none', '--norm', 'none'], {'use_idf': False, 'norm': None}),
]


def write_lines(path, lines):
    with open(path, 'w', encoding='utf-8', newline='\n') as file:
        file.writelines(line + '\n' for line in lines)
    return path


def check_given_words(program):
    """Checks a given vocabulary, and new documents with the words and weights of a pool."""
    with tempfile.TemporaryDirectory() as folder:
        documents = generated_documents(3, 400)
        old, new = documents[:200], documents[200:]
        old_file, new_file = (write_lines(os.path.join(folder, name), part)
                              for name, part in (('old.txt', old), ('new.txt', new)))
        pool, shard, given = (os.path.join(folder, name) for name in ('pool', 'shard', 'given'))
        for options, arguments in GIVEN_CASES:
            arguments = our_defaults(len(old), **arguments)
            vectorizer = TfidfVectorizer(**arguments)
            vectorizer.fit(old)
            build(program, old_file, pool, ours(options))
            build(program, new_file, shard, ['--like', pool])
            compare_matrix(f'like a pool {" ".join(options)}', shard, vectorizer.transform(new), vectorizer)

            words = sorted([*random.Random(3).sample(terms_of(pool), 300), 'zebra', 'absent term'])
            file = write_lines(os.path.join(folder, 'words'), reversed(words))
            build(program, new_file, given, ['--vocabulary', file, *ours(options)])
            compare(f'vocabulary {" ".join(options)}', given, new, vocabulary=words, **arguments)


def read_documents(source, pool):
    """The documents of a source in the order of the pool's rows."""
    if os.path.isdir(source):
        return [open(os.path.join(source, name), 'rb').read().decode(errors='replace') for name in ids_of(pool)]
    if tarfile.is_tarfile(source):
        with tarfile.open(source) as archive:
            texts = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
        return [texts[name].decode(errors='replace') for name in ids_of(pool)]
    with open(source, 'rb') as file:
        lines = file.read().decode(errors='replace').split('\n')
    lines = lines[:-1] if lines[-1] == '' else lines
    return [json.loads(line)['text'] for line in lines] if source.endswith('.jsonl') else lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('--source', nargs='*', default=[])
    arguments = parser.parse_args()
    if not arguments.source:
        check_generated(arguments.program)
        check_words_of_nearly_all(arguments.program)
        check_given_words(arguments.program)
    for source in arguments.source:
        with tempfile.TemporaryDirectory() as folder:
            pool = os.path.join(folder, 'pool')
            archive = not os.path.isdir(source) and tarfile.is_tarfile(source)
            build(arguments.program, source, pool, [LIKE, *(['--format', 'dir'] if archive else [])])
            compare(os.path.basename(source), pool, read_documents(source, pool))


main()
